import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openRecord } from "batching-lab/record";

const command = resolve(dirname(fileURLToPath(import.meta.resolve("batching-lab/base"))), "../../bin/workbook.js");
const folder = mkdtempSync(join(tmpdir(), "sweep-"));
after(() => rmSync(folder, { recursive: true }));
const outputs = join(folder, "outputs");
const env = {
	...process.env,
	// built once a clone, and shared with the tests of the laboratory
	BATCHING_LAB_DATA: join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "batching-lab-test"),
	BATCHING_LAB_OUTPUTS: outputs,
	BATCHING_LAB_LOCK: join(folder, "lock"),
};
const workbook = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: "utf8", env });
const TINY = [
	"models=gbt",
	"rateMultiples=0.5",
	"arrivalSeconds=0.2",
	"warmupSeconds=0.1",
	"quietSeconds=0.02",
	"quietWaitSeconds=0",
	"connections=8",
	"bitRows=50",
	"bitSizes=2",
].flatMap((value) => ["--set", value]);

test("--plan says how long it takes and measures nothing", () => {
	const { status, stdout } = workbook("sweep", "--plan", "--profile", "full", "--json");
	assert.equal(status, 0);
	const plan = JSON.parse(stdout);
	assert.equal(plan.runs, 20 * 7 * 5 + 5);
	assert.equal(plan.plannedSeconds, 12 * plan.runs);
	assert.match(workbook("sweep", "--plan").stdout, /^66 runs, about \d+ min \d+ s, until /);
});

test("wrong usage is exit code 2 with one clear message, and leaves no folder", () => {
	const refused = (message: RegExp, ...args: string[]) => {
		const { status, stderr } = workbook(...args);
		assert.equal(status, 2, stderr);
		assert.match(stderr, message);
	};
	refused(/unknown profile "fast"; expected smoke, quick, standard, full/, "sweep", "--profile", "fast");
	refused(/no value "runds"/, "sweep", "--set", "runds=3");
	refused(/"b1w2" has no meaning/, "sweep", "--set", "settings=none,b1w2");
	refused(/exclude each other/, "sweep", "--allow-change", "--set-aside");
	refused(/there is no run to resume/, "sweep", "--resume");
	const nowhere = join(folder, "nowhere");
	refused(/there is no run to resume: .*nowhere holds no lab\.sqlite/, "sweep", "--resume", nowhere);
	assert.equal(existsSync(nowhere), false, "a name mistyped begins no run");
	refused(/leave --out out/, "sweep", "--resume", nowhere, "--out", join(folder, "other"));
	refused(/unknown model "gtb"/, "saturation", "--model", "gtb");
	refused(/"b1w2" has no meaning/, "saturation", "--setting", "b1w2");
	refused(/topology/, "saturation", "--topology", "apart");
	assert.equal(JSON.parse(workbook("sweep", "--profile", "fast", "--json").stdout).error.code, "UNKNOWN_PROFILE");
	assert.throws(() => readdirSync(outputs), { code: "ENOENT" });
});

test("saturation --json is one object with the promised keys, and leaves the current run alone", () => {
	const args = ["--profile", "smoke", "--seconds", "0.2", "--setting", "none,b32w0", "--json"];
	const { status, stdout, stderr } = workbook("saturation", ...args);
	assert.equal(status, 0, stderr);
	const result = JSON.parse(stdout);
	assert.equal(result.model, "gbt");
	assert.equal(result.connections, 16);
	assert.deepEqual(Object.keys(result.settings), ["none", "b32w0"]);
	for (const setting of Object.values<Record<string, unknown>>(result.settings)) {
		for (const key of ["answersPerSecond", "min", "max", "differingAnswers"]) {
			assert.equal(typeof setting[key], "number", key);
		}
		assert.deepEqual(Object.keys(setting.cpuUsPerAnswer ?? {}), ["service", "client"]);
	}
	assert.equal(result.settings.none.meanBatch, null);
	assert.ok(result.settings.b32w0.meanBatch >= 1);
	assert.equal(result.environment.node, process.versions.node);
	assert.equal(readdirSync(outputs).includes("latest"), false);
});

test("Ctrl-C ends a sweep with exit code 130 and a way to go on; --resume makes what is missing", async () => {
	const child = spawn(process.execPath, [command, "sweep", "--profile", "smoke", ...TINY], { env });
	let said = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		said += text;
		if (/^RUN 1\/3 /m.test(text)) child.kill("SIGINT");
	});
	const [status] = await once(child, "exit");
	assert.equal(status, 130, said);
	assert.match(said, /interrupted; every finished run is safe\n +go on with --resume /);
	const path = join(outputs, "latest", "lab.sqlite");
	const reader = openRecord(path);
	const before = reader.finishedRuns().map((run) => run.id);
	reader.close();
	assert.equal(before.length, 1);

	const { stdout, stderr } = workbook("sweep", "--resume", "--json");
	const result = JSON.parse(stdout);
	assert.deepEqual([result.summary.runs, result.summary.planned], [2, 2], stderr);
	assert.match(stderr, /^SCHEDULE 2 runs, 1 of 3 are there already/m);
	const after = openRecord(path);
	assert.deepEqual(
		after.finishedRuns().map((run) => run.slot.split("/")[0]),
		["closed", "open", "open"],
	);
	assert.equal(after.finishedRuns()[0]?.id, before[0]);
	after.close();
});

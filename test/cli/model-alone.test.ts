import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { prepareAssets } from "batching-lab/model";

const command = resolve(dirname(fileURLToPath(import.meta.resolve("batching-lab/base"))), "../../bin/workbook.js");
const dataDir = mkdtempSync(join(tmpdir(), "model-alone-"));
const env = { ...process.env, BATCHING_LAB_DATA: dataDir };
before(() => prepareAssets(dataDir));
after(() => rmSync(dataDir, { recursive: true }));

const workbook = (...args: string[]) =>
	spawnSync(process.execPath, [command, "model-alone", ...args], { encoding: "utf8", env });
const quick = ["--rounds", "2", "--calls", "20", "--budget-ms", "20"];

test("--json is one object with the promised keys, and derived figures follow from the times", () => {
	const { status, stdout } = workbook("--json", "--sizes", "1,8,32", ...quick);
	assert.equal(status, 0);
	const result = JSON.parse(stdout);
	assert.equal(result.model, "gbt");
	assert.equal(result.rounds, 2);
	assert.deepEqual(Object.keys(result.perCallUs), ["1", "8", "32"]);
	for (const size of [1, 8, 32]) assert.equal(result.perRowUs[size], result.perCallUs[size] / size);
	for (const key of ["fixedUs", "marginalUs"]) assert.equal(typeof result[key], "number");
	assert.ok(result.plateauSize === null || Number.isInteger(result.plateauSize));
	assert.equal(typeof result.batchingCanHelp, "boolean");
	assert.match(result.reason, /a row alone takes/);
	assert.equal(result.environment.node, process.versions.node);
	assert.equal(result.environment.threads, 1);
	assert.equal(result.perRound.length, 2);
	assert.notEqual(result.perRound[0].pid, result.perRound[1].pid);
});

test("for a person: a table, the fixed cost, the plateau, and whether batching can help", () => {
	const { status, stdout } = workbook("--model", "ft", "--sizes", "1,2,4", ...quick);
	assert.equal(status, 0);
	assert.match(stdout, /^ft alone: 2 fresh processes, at most 20 calls or 20 ms a size, test rows of the shop/);
	assert.match(stdout, /rows a call\s+µs a call\s+over the rounds\s+µs a row\s+rows a second\s+calls/);
	assert.match(stdout, /A call costs .* µs more for every row/);
	assert.match(stdout, /plateau/i);
	assert.match(stdout, /Batching can(not)? help: /);
});

test("sizes that cannot answer are refused before anything is measured", () => {
	const { status, stderr, stdout } = workbook("--sizes", "8,32", "--json");
	assert.equal(status, 2);
	assert.equal(JSON.parse(stdout).error.code, "BAD_OPTION");
	assert.doesNotMatch(stderr, /round 1/);
	for (const [args, message] of [
		[["--model", "gtb"], /unknown model "gtb"; there are gbt, ft, mlp/],
		[["--sizes", "1,x"], /--sizes takes a whole number.*"x"/],
		[["--rounds", "0"], /--rounds takes a whole number of at least 1, got "0"/],
	] as const) {
		const failed = workbook(...args);
		assert.equal(failed.status, 2);
		assert.match(failed.stderr, message);
	}
});

test("Ctrl-C ends it at once with 130", async () => {
	const child = spawn(process.execPath, [command, "model-alone", "--calls", "1000000", "--budget-ms", "1000000"], {
		env,
		stdio: ["ignore", "ignore", "pipe"],
	});
	let said = "";
	for await (const text of child.stderr.setEncoding("utf8")) {
		if (said === "") setTimeout(() => child.kill("SIGINT"), 1500);
		said += text;
	}
	const code = child.exitCode ?? (await once(child, "exit"))[0];
	assert.equal(code, 130);
	assert.match(said, /the measurement was interrupted/);
});

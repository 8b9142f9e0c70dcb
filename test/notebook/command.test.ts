import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { assertGone, corpus, temporaryFolder } from "./support.js";

const program = fileURLToPath(new URL("../../../lib/bin/workbook.js", import.meta.url));

interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs the command; `onLine` hears each piece of standard error and may send signals. */
function workbook(args: readonly string[], onText: (text: string, pid: number) => void = () => {}): Promise<Ended> {
	const child = spawn(process.execPath, [program, ...args], {
		cwd: temporaryFolder(),
		stdio: ["ignore", "pipe", "pipe"],
	});
	let [stdout, stderr] = ["", ""];
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
		onText(stderr, child.pid ?? 0);
	});
	return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

describe("workbook run", { concurrency: 2 }, () => {
	it("runs any notebook with parameters, one line a cell where there is no terminal", async () => {
		const out = temporaryFolder();
		const { code, stderr } = await workbook([
			"run",
			corpus("parameters"),
			"--set",
			"seed=3",
			"--set",
			"profile=smoke",
			"--out",
			out,
		]);
		assert.equal(code, 0, stderr);
		assert.match(stderr, /^parameters: cell 1 of 3, 0:\d\d elapsed/m);
		assert.match(stderr, /^parameters: finished in 0:\d\d, .*parameters\.html$/m);
		assert.match(readFileSync(join(out, "parameters.ipynb"), "utf8"), /\[\\"smoke\\",3,/);
	});

	it("stops loudly at a failing cell, exit code 1, copy and page kept", async () => {
		const out = temporaryFolder();
		const { code, stderr } = await workbook(["run", corpus("throws"), "--out", out]);
		assert.equal(code, 1);
		assert.match(
			stderr,
			/workbook: throws\.ipynb, code cell 2: RangeError: out of range\n {2}executed copy: .*\n {2}continue: npx workbook run .*--out .* --resume/,
		);
		assert.match(readFileSync(join(out, "throws.html"), "utf8"), /out of range/);
	});

	it("loses nothing at Ctrl-C, exit code 130, and goes on later", async () => {
		const out = temporaryFolder();
		const folder = temporaryFolder();
		const sources = ["javascript", "endless-wait"].map((name, index) => {
			const path = join(folder, `${index}-${name}.ipynb`);
			copyFileSync(corpus(name), path);
			return path;
		});
		let sent = false;
		const { code, stderr } = await workbook(["run", ...sources, "--out", out], (text, pid) => {
			if (sent || !text.includes("1-endless-wait: cell 1")) return;
			sent = true;
			setTimeout(() => process.kill(pid, "SIGINT"), 500);
		});
		assert.equal(code, 130, stderr);
		assert.match(stderr, /workbook: interrupted at 1-endless-wait\.ipynb, code cell 1/);
		assert.match(readFileSync(join(out, "1-endless-wait.ipynb"), "utf8"), /"status": "interrupted"/);
		const again = await workbook(["run", ...sources, "--out", out, "--resume", "--cell-limit", "1"]);
		assert.equal(again.code, 1);
		assert.match(again.stderr, /^0-javascript: finished before$/m);
		assert.match(again.stderr, /longer than its limit of 1 s/);
	});

	it("ends at once at a second Ctrl-C, the kernel too", async () => {
		const out = temporaryFolder();
		let kernel = 0;
		const { code } = await workbook(["run", corpus("endless-loop"), "--out", out], (text, pid) => {
			if (kernel !== 0 || !text.includes("cell 1")) return;
			kernel = childOf(pid);
			setTimeout(() => process.kill(pid, "SIGINT"), 1_000);
			setTimeout(() => process.kill(pid, "SIGINT"), 1_500);
		});
		assert.equal(code, 130);
		assert.ok(existsSync(join(out, "endless-loop.ipynb")));
		await assertGone(kernel); // although it never looked up from its loop
	});

	it("runs in any folder, whatever its name, and says how to go on in words that a shell takes", async () => {
		const folder = join(temporaryFolder(), `it's a "place" für $HOME`);
		mkdirSync(folder);
		const source = join(folder, `näh 'q' "x".ipynb`);
		copyFileSync(corpus("throws"), source);
		const { code, stderr } = await workbook(["run", source, "--out", join(folder, "oüt put")]);
		assert.equal(code, 1, stderr);
		assert.match(readFileSync(join(folder, "oüt put", `näh 'q' "x".html`), "utf8"), /out of range/);
		const advice = /continue: npx workbook (.*)$/m.exec(stderr)?.[1] ?? "";
		const run = `"$node" "$workbook" ${advice}`;
		const env = { ...process.env, node: process.execPath, workbook: program };
		const again = spawnSync("sh", ["-c", run], { env, encoding: "utf8" });
		assert.equal(again.status, 1, again.stderr);
		assert.match(again.stderr, /näh 'q' "x".ipynb, code cell 2: RangeError: out of range/);
	});

	it("gives a kernel as long to start as it is told to", async () => {
		const { code, stderr } = await workbook([
			"run",
			corpus("throws"),
			"--out",
			temporaryFolder(),
			"--start-limit",
			"0.1",
		]);
		assert.equal(code, 1);
		assert.match(
			stderr,
			/the kernel did not start: no answer within 0\.1 s\n {2}on a slow machine allow more: --start-limit/,
		);
	});

	it("refuses what does not exist, exit code 2, before anything runs", async () => {
		const refused = async (args: readonly string[], message: RegExp) => {
			const { code, stderr } = await workbook(["run", ...args]);
			assert.equal(code, 2, stderr);
			assert.match(stderr, message);
		};
		await refused(["no-such"], /there is no notebook no-such\n {2}(give the path|notebooks of the workbook: )/);
		await refused([corpus("parameters"), "--set", "sead=1"], /no notebook has a parameter sead; there are:/);
		await refused([corpus("parameters"), "--set", "seed=x"], /parameter seed takes a number, got "x"/);
		await refused([corpus("parameters"), "--set", "seed"], /--set takes name=value, got "seed"/);
		await refused([corpus("javascript"), "--profile", "huge"], /unknown profile "huge"; expected smoke, quick/);
		await refused([corpus("parameters"), "--profile", "smoke", "--set", "profile=quick"], /differ/);
		await refused([corpus("other-language")], /written in python/);
		await refused(["--start-limit", "100000"], /--start-limit takes a number from 0.001 to 86400/);
		await refused(["--cell-limit", "soon"], /--cell-limit takes a number of at least 0.001, got "soon"/);
	});
});

/** The first child process of a process. */
function childOf(pid: number): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

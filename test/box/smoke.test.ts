import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, homedir, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { findProject } from "batching-lab/base";
import type { StepName } from "batching-lab/box";
import { makeBox, sshOptions } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { tempFolder } from "./temp.js";

/**
 * A box's first `npm ci` downloads what this computer has already: its packages and the compiled better-sqlite3 are
 * laid out for the box's user, so that the test measures the steps and not the registry.
 */
function lendPackages(loopback: Loopback): void {
	const cache = join(homedir(), ".npm/_cacache");
	if (loopback.home === homedir() || !existsSync(cache)) return;
	cpSync(cache, join(loopback.home, ".npm/_cacache"), { recursive: true });
	const require = createRequire(import.meta.resolve("batching-lab/base"));
	const folder = dirname(require.resolve("better-sqlite3/package.json"));
	const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`;
	const prebuilds = join(loopback.home, "prebuilds");
	mkdirSync(prebuilds);
	execFileSync("tar", ["-czf", join(prebuilds, name), "-C", folder, "build/Release/better_sqlite3.node"]);
	writeFileSync(join(loopback.home, ".prebuild-installrc"), JSON.stringify({ "local-prebuilds": prebuilds }));
	execFileSync("chown", ["-R", loopback.user, loopback.home]);
}

/** The project as it lies here and now: a tree that somebody works in may change between setup and verify. */
function copyProject(from: string, to: string): void {
	const git = (folder: string, ...args: readonly string[]) =>
		execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: "pipe" });
	for (const file of git(from, "ls-files", "-z").split("\0")) {
		if (file !== "" && existsSync(join(from, file))) cpSync(join(from, file), join(to, file));
	}
	git(to, "init", "-q");
	git(to, "add", ".");
	git(to, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "a copy");
}

test("the smoke workbook goes out, runs detached on one core, comes home verified, and its report is the box's", async (context) => {
	const lock = join(tmpdir(), `box-smoke-${process.pid}.lock`);
	const loopback = await startLoopback({ BATCHING_LAB_LOCK: lock });
	const project = tempFolder("project");
	const box = makeBox(sshOptions(loopback, project, "smoke"));
	try {
		lendPackages(loopback);
		copyProject(findProject().root, project);
		const begun = Date.now();
		const seconds: Partial<Record<StepName, number>> = {};
		for (const step of ["check", "access", "launch", "wait", "setup", "verify"] as const) {
			const from = Date.now();
			await box.run(step);
			seconds[step] = (Date.now() - from) / 1000;
		}
		await box.run("start", { profile: "smoke", cpus: "0" });
		await box.run("watch", { ssh: true, follow: true }, { secondMs: 30 });
		const { start } = box.state();
		const results = join(loopback.home, "batching-box/smoke/results", start?.id ?? "");
		assert.equal(start?.exitCode, 0, readFileSync(join(results, "run.log"), "utf8").slice(-3000));
		const [run = ""] = readdirSync(join(results, "outputs")).filter((name) => name !== "latest");
		const [first = ""] = readFileSync(join(results, "outputs", run, "progress.log"), "utf8").split("\n");
		const timedAt = Date.parse(first.split(" ")[0] ?? "");
		const { setup = 0, verify = 0 } = seconds;
		const untilTimed = (timedAt - Date.parse(start?.at ?? "")) / 1000;
		context.diagnostic(
			`setup to the first timed run: ${(setup + verify + untilTimed).toFixed(0)} s (setup ${setup.toFixed(0)}, verify ${verify.toFixed(0)}, start to that run ${untilTimed.toFixed(0)}); ${availableParallelism()} cores with a load of ${loadavg()[1]?.toFixed(1)}`,
		);

		await box.run("fetch");
		const { message } = await box.run("report");
		assert.match(message, /numbers, each computed twice with the same result[\s\S]*the same as computed on the box$/);
		assert.equal(box.state().report?.sameAsBox, true);
		await box.run("teardown");
		assert.ok(!existsSync(join(loopback.home, "batching-box")));
		context.diagnostic(
			`${box.state().fetch?.files} files, ${((box.state().fetch?.bytes ?? 0) / 1e6).toFixed(1)} MB of results; ${((Date.now() - begun) / 1000).toFixed(0)} s in all`,
		);
	} finally {
		box.remove();
		await loopback.close();
		for (const left of [project, lock, `${lock}.owner`]) rmSync(left, { recursive: true, force: true });
	}
});

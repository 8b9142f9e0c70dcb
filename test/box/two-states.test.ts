import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeBox, sshOptions, type TestBox, until } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { type FakeSystemd, fakeSystemd } from "./systemd.js";
import { makeToyProject } from "./toy.js";

/** One machine, one name, and a state that knows less than the machine: a second computer, or a state that was lost. */
let loopback: Loopback;
let systemd: FakeSystemd;
let project: string;
let first: TestBox;
let second: TestBox;
before(async () => {
	loopback = await startLoopback();
	systemd = fakeSystemd(loopback);
	systemd.set(["cron.service"]);
	project = makeToyProject();
	first = makeBox(sshOptions(loopback, project, "shared"));
	second = makeBox(sshOptions(loopback, project, "shared"));
	for (const step of ["check", "wait", "setup", "verify", "quiet"] as const) await first.run(step);
	for (const step of ["check", "wait"] as const) await second.run(step);
});
after(async () => {
	for (const box of [first, second]) box.remove();
	rmSync(project, { recursive: true });
	await loopback.close();
});
const run = (path: string) => join(loopback.home, "batching-box/shared/results", first.state().start?.id ?? "", path);

test("while one state's run goes on, another state disturbs nothing on that machine", async () => {
	await first.run("start", { profile: "held" });
	await until(() => existsSync(run("outputs/toy-run/starts")));
	await second.fails("RUN_IN_PROGRESS", "setup");
	await second.fails("RUN_IN_PROGRESS", "teardown");
	await first.fails("RUN_IN_PROGRESS", "quiet", { restore: true });
	assert.deepEqual(systemd.active(), []);
});

test("results that another state made are not deleted by a state that does not know them", async () => {
	writeFileSync(run("outputs/let-go"), "");
	await until(() => existsSync(run("exit")));
	const error = await second.fails("NOT_FETCHED", "teardown");
	assert.match(error.message, /\d+ results on the box are not at home/);
	assert.match(error.hint ?? "", /another state of this box made them; --discard deletes them/);
	assert.ok(existsSync(run("outputs/toy-run/record.bin")));
});

test("what changed on the box after fetch is not deleted either", async () => {
	await first.run("fetch");
	writeFileSync(run("outputs/toy-run/later"), "made after fetch");
	assert.match((await first.fails("NOT_FETCHED", "teardown")).message, /^1 results on the box.*toy-run\/later$/);
	await first.run("fetch");
});

test("an answer of quiet that was lost leaves no machine without its timers", async () => {
	const { quiet, ...forgotten } = first.state();
	assert.deepEqual(quiet?.stopped, ["cron.service"]);
	writeFileSync(first.options.statePath ?? "", JSON.stringify(forgotten));
	await first.run("teardown");
	assert.deepEqual(systemd.active(), ["cron.service"]);
	assert.ok(!existsSync(join(loopback.home, "batching-box")));
});

test("teardown --discard ends a run that goes on, with everything that it started, and deletes it", async () => {
	for (const step of ["check", "wait", "setup", "verify"] as const) await first.run(step);
	await first.run("start", { profile: "held" });
	await until(() => existsSync(run("outputs/toy-run/starts")));
	const pid = readFileSync(run("outputs/toy-run/starts"), "utf8").trim();
	await first.fails("NOT_FETCHED", "teardown");
	await first.run("teardown", { discard: true });
	assert.ok(!existsSync(join(loopback.home, "batching-box")));
	const state = execFileSync("ps", ["-o", "stat=", "-p", pid, "-p", "1"], { encoding: "utf8" }).trim().split("\n");
	assert.ok(state.length === 1 || state.some((one) => one.startsWith("Z")), "the run has ended");
});

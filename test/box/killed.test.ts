import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeBox, sshOptions, type TestBox, untilEnded } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { makeToyProject } from "./toy.js";

const WORKBOOK = join(dirname(createRequire(import.meta.url).resolve("batching-lab/package.json")), "bin/workbook.js");

let loopback: Loopback;
let project: string;
let box: TestBox;
before(async () => {
	loopback = await startLoopback({ TOY_BYTES: "4000000" });
	project = makeToyProject();
	box = makeBox(sshOptions(loopback, project, "lid"));
	for (const step of ["check", "wait", "setup", "verify"] as const) await box.run(step);
});
after(async () => {
	box.remove();
	rmSync(project, { recursive: true });
	await loopback.close();
});

interface Running {
	readonly child: ChildProcess;
	/** Its end, listened for from the beginning. */
	readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

/** A step in a process of its own, which can be ended as a closed lid or an empty battery ends it. */
function command(step: string, ...more: readonly string[]): Running {
	const args = [WORKBOOK, "box", step, "--state", box.options.statePath ?? "", "--project", project, ...more];
	const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
	let text = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (part: Buffer) => {
			text += part.toString();
		});
	}
	return { child, ended: once(child, "close").then(() => ({ code: child.exitCode, text })) };
}

async function killedAfter(step: string, milliseconds: number, ...more: readonly string[]): Promise<void> {
	const { child, ended } = command(step, ...more);
	await sleep(milliseconds);
	child.kill("SIGKILL");
	await ended;
}

/** Waits until a file says something, for at most half a minute. */
async function untilSays(path: string, words: string): Promise<void> {
	for (let left = 600; left > 0; left--) {
		if (existsSync(path) && readFileSync(path, "utf8").includes(words)) return;
		await sleep(50);
	}
	throw new Error(`${path} never said ${words}`);
}

test("a second step on the same state is refused while the first is at work, and told whose turn it is", async () => {
	loopback.proxy.bytesPerSecond = 8000;
	const first = command("verify");
	await untilSays(`${box.options.statePath}.lock.owner`, `verify, pid ${first.child.pid}`);
	const second = await command("setup").ended;
	assert.equal(second.code, 1);
	assert.match(second.text, new RegExp(`another step is at work on this box: verify, pid ${first.child.pid}`));
	const looking = await command("status").ended;
	assert.equal(looking.code, 0, "status only looks");
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
	assert.equal((await first.ended).code, 0);
});

test("a lid closed at any moment of start: the run starts once, and start can be asked again", async () => {
	for (const moment of [300, 600, 900, 1200]) await killedAfter("start", moment, "--profile", "short", "--console", "");
	await box.run("start", { profile: "short" });
	const results = join(loopback.home, "batching-box/lid/results");
	assert.deepEqual(readdirSync(results), [box.state().start?.id]);
});

test("a lid closed during watch disturbs nothing", async () => {
	await killedAfter("watch", 700, "--ssh", "--follow");
	assert.match((await untilEnded(box)).message, /it has finished/);
	const folder = join(loopback.home, "batching-box/lid/results", box.state().start?.id ?? "", "outputs/toy-run");
	assert.equal(readFileSync(join(folder, "starts"), "utf8").trim().split("\n").length, 1);
});

test("a lid closed during fetch marks nothing safe; fetch again brings everything home", async () => {
	loopback.proxy.bytesPerSecond = 1_000_000;
	await killedAfter("fetch", 2500, "--to", box.options.to ?? "");
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
	assert.equal(box.state().fetch, undefined);
	await box.fails("NOT_FETCHED", "teardown");
	assert.match((await box.run("fetch")).message, /results safe/);
});

test("Ctrl-C ends a step with code 130, and the message says where things are", async () => {
	loopback.proxy.bytesPerSecond = 8000;
	const { child, ended } = command("verify");
	await untilSays(`${box.options.statePath}.lock.owner`, `verify, pid ${child.pid}`);
	child.kill("SIGINT");
	const { code, text } = await ended;
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
	assert.equal(code, 130);
	assert.match(text, /interrupted\n.*results safe in .*; next: workbook box/);
});

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeBox, sshOptions, type TestBox, until, untilEnded } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { makeToyProject } from "./toy.js";

const WORKBOOK = join(dirname(createRequire(import.meta.url).resolve("batching-lab/package.json")), "bin/workbook.js");

const STEP = fileURLToPath(new URL("./step.js", import.meta.url));

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
	// a group of its own, as a terminal gives to every command
	const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
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
	loopback.proxy.held = true;
	const first = command("verify");
	await untilSays(`${box.options.statePath}.lock.owner`, `verify, pid ${first.child.pid}`);
	const second = await command("setup").ended;
	assert.equal(second.code, 1);
	assert.match(second.text, new RegExp(`another step is at work on this box: verify, pid ${first.child.pid}`));
	const looking = await command("status").ended;
	assert.equal(looking.code, 0, "status only looks");
	loopback.proxy.held = false;
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

/** A step that sleeps with its computer: everything of it stands still, and the way is dead when it wakes. */
async function sleepsDuring(step: string, when: () => boolean, more: object = {}): Promise<string> {
	const options = JSON.stringify({ ...box.options, ...more });
	const child = spawn(process.execPath, [STEP, step, options], { stdio: ["ignore", "pipe", "pipe"], detached: true });
	let text = "";
	child.stdout.on("data", (part: Buffer) => {
		text += part.toString();
	});
	const ended = once(child, "close");
	const group = -(child.pid ?? 0);
	await until(when);
	process.kill(group, "SIGSTOP");
	loopback.proxy.stallAfter = 0; // what was sent meanwhile went nowhere, and nobody said so
	await sleep(500);
	process.kill(group, "SIGCONT");
	await ended;
	loopback.proxy.stallAfter = Number.POSITIVE_INFINITY;
	return text;
}

test("a computer that slept through fetch wakes to a lost way, is told so, and fetches again", async () => {
	rmSync(box.options.to ?? "", { recursive: true });
	loopback.proxy.bytesPerSecond = 300_000;
	const before = loopback.proxy.carried;
	const text = await sleepsDuring("fetch", () => loopback.proxy.carried - before > 300_000);
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
	assert.match(text, /CONNECTION_LOST\n.*results not at home; next: npx workbook box fetch/);
	assert.match((await box.run("fetch")).message, /results safe/);
});

test("a computer that slept through start and watch finds one run, which went on", async () => {
	const before = box.state().start?.id;
	const carried = loopback.proxy.carried;
	loopback.proxy.bytesPerSecond = 20_000;
	const said = await sleepsDuring("start", () => loopback.proxy.carried - carried > 5000, {
		profile: "held",
		again: true,
	});
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
	assert.match(
		said,
		/CONNECTION_LOST\n.*was sent, the answer is not known; results not at home; next: npx workbook box start/,
	);
	await box.run("start", { profile: "held" });
	const id = box.state().start?.id ?? "";
	assert.notEqual(id, before);
	const outputs = join(loopback.home, "batching-box/lid/results", id, "outputs");
	await until(() => existsSync(join(outputs, "toy-run/starts")));
	const looked = loopback.proxy.carried;
	const watched = await sleepsDuring("watch", () => loopback.proxy.carried - looked > 3000, {
		ssh: true,
		follow: true,
	});
	assert.match(watched, /CONNECTION_LOST\n.*next: npx workbook box watch/);
	writeFileSync(join(outputs, "let-go"), "");
	assert.match((await untilEnded(box)).message, /it has finished/);
	assert.equal(readFileSync(join(outputs, "toy-run/starts"), "utf8").trim().split("\n").length, 1);
});

test("Ctrl-C ends a step with code 130, and the message says where things are, whoever hears of it first", async () => {
	loopback.proxy.bytesPerSecond = 8000;
	// a terminal's Ctrl-C reaches ssh too, which may be gone before we have heard of anything; a program's reaches only us
	for (const whole of [true, false, true, false, true]) {
		const { child, ended } = command("verify");
		const before = loopback.proxy.carried;
		await untilSays(`${box.options.statePath}.lock.owner`, `verify, pid ${child.pid}`);
		await until(() => loopback.proxy.carried > before);
		process.kill(whole ? -(child.pid ?? 0) : (child.pid ?? 0), "SIGINT");
		const { code, text } = await ended;
		assert.equal(code, 130, text);
		assert.match(text, /interrupted\n.*box "lid" .*; next: npx workbook box/);
	}
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
});

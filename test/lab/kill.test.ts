import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openRecord } from "batching-lab/record";
import { scratch } from "./scratch.js";
import { childrenOf, isAlive, openTiny, until } from "./tiny.js";

const LINUX = process.platform === "linux";

test("a lab killed in the middle of a run loses that run only, leaves no process, and goes on where it was", {
	skip: !LINUX,
}, async (t) => {
	const folder = scratch(t);
	const lab = spawn(process.execPath, [fileURLToPath(new URL("kill.child.js", import.meta.url)), folder], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, BATCHING_LAB_LOCK: join(folder, "lock") },
	});
	t.after(() => lab.kill("SIGKILL"));
	let said = "";
	lab.stdout.setEncoding("utf8").on("data", (text: string) => {
		said += text;
	});
	const path = join(folder, "run", "lab.sqlite");
	// the third run has begun: one closed loop and one open run are on disk
	await until(() => said.includes("RUN 3/3"), "the third run");
	const reader = openRecord(path);
	await until(() => reader.allRuns().some((run) => run.state === "started"), "a begun run");
	const children = childrenOf(lab.pid ?? 0);
	assert.ok(children.length >= 2);
	lab.kill("SIGKILL");
	await once(lab, "exit");
	await until(() => !children.some(({ pid }) => isAlive(pid)), "the end of all children");
	const finished = reader.finishedRuns().map((run) => [run.id, run.slot, run.endedAt]);
	const half = reader.allRuns().filter((run) => run.state === "started");
	assert.equal(half.length, 1, "the half-written run is visible as such");
	assert.equal(reader.starts().at(-1)?.ended, null);
	reader.close();

	const run = await openTiny(folder);
	t.after(() => run.close());
	const summary = await run.sweep();
	assert.deepEqual([summary.runs, summary.planned], [2, 2]);
	const after = run.record.finishedRuns().map((each) => [each.id, each.slot, each.endedAt]);
	assert.deepEqual(after.slice(0, finished.length), finished, "what was finished is as it was");
	assert.equal(new Set(after.map(([, slot]) => slot)).size, after.length, "nothing was measured twice");
	assert.equal(run.record.run(half[0]?.id ?? 0).state, "interrupted");
	assert.equal(run.record.requests(run.record.finishedRuns().at(-1)?.id ?? 0).status.length > 0, true);
});

test("a run that is given up ends every process, and says that nothing finished is lost", {
	skip: !LINUX,
}, async (t) => {
	const run = await openTiny(scratch(t));
	t.after(() => run.close());
	const controller = new AbortController();
	const before = new Set(childrenOf(process.pid).map(({ pid }) => pid));
	const onProgress = ({ text }: { text: string }) => {
		if (text.startsWith("RUN 3/3")) setTimeout(() => controller.abort(), 300);
	};
	await assert.rejects(run.sweep({ onProgress, signal: controller.signal }), {
		code: "INTERRUPTED",
		exitCode: 130,
		message: "interrupted; every finished run is safe",
	});
	assert.deepEqual(
		childrenOf(process.pid).filter(({ pid }) => !before.has(pid) && isAlive(pid)),
		[],
	);
	assert.ok(run.record.finishedRuns().length >= 2);
	assert.equal(run.record.starts().at(-1)?.ended, "interrupted");
	assert.equal(run.record.allRuns().filter((each) => each.state === "started").length, 0);
	assert.equal((await run.sweep()).runs, 2);
});

test("a service that dies ends the sweep with its name, and the runs before it are safe", {
	skip: !LINUX,
}, async (t) => {
	const run = await openTiny(scratch(t));
	t.after(() => run.close());
	let killed = false;
	const onProgress = ({ text }: { text: string }) => {
		if (killed || !text.startsWith("RUN 3/3")) return;
		killed = true;
		setTimeout(() => {
			const service = childrenOf(process.pid).find(({ command }) => command.includes("service/main.js"));
			if (service !== undefined) process.kill(service.pid, "SIGKILL");
		}, 400);
	};
	await assert.rejects(run.sweep({ onProgress }), {
		code: "SERVICE_DIED",
		exitCode: 1,
		message: /the service process/,
	});
	assert.ok(run.record.finishedRuns().length >= 2);
	assert.equal(run.record.starts().at(-1)?.ended, "failed");
});

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isBatcherError, MicroBatcher, VirtualClock } from "batching-lab/batcher";
import { rig, watch } from "./harness.js";

test("a signal that has fired before refuses the row", async () => {
	const { batcher, calls, clock } = rig();
	await assert.rejects(batcher.submit(1, { signal: AbortSignal.abort("gone") }), { code: "ABORTED", cause: "gone" });
	await clock.advance(10);
	assert.deepEqual(calls, []);
	assert.equal(batcher.stats().submitted, 0);
});

test("a waiting row is told at once and never scored; its batch goes without it", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 8, maxWaitMs: 5 });
	const controller = new AbortController();
	const first = watch(batcher.submit(1, { signal: controller.signal }), clock);
	await clock.advance(1);
	const second = watch(batcher.submit(2), clock);
	controller.abort();
	await clock.advance(0);
	assert.equal(first.state, "ABORTED");
	await clock.advance(10);
	// The oldest row that is still there came at 1 ms, so W ends at 6 ms.
	assert.deepEqual(calls, [{ atMs: 6, rows: [2] }]);
	assert.equal(second.state, 2.5);
	assert.equal(reports[0]?.dropped, 1);
	assert.equal(batcher.stats().aborted, 1);
});

test("a row given up between the turn and its batch is not taken along", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 2 });
	const controller = new AbortController();
	const row = watch(batcher.submit(1, { signal: controller.signal }), clock);
	controller.abort();
	await clock.advance(10);
	assert.equal(row.state, "ABORTED");
	assert.deepEqual(calls, []);
});

test("a row in the model is told at once; the others of its batch get their own scores", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 3, modelMs: 10 });
	const controller = new AbortController();
	const rows = [1, 2, 3].map((row) =>
		watch(batcher.submit(row, row === 2 ? { signal: controller.signal } : {}), clock),
	);
	await clock.advance(4);
	controller.abort();
	await clock.advance(0);
	assert.equal(rows[1]?.state, "ABORTED");
	await clock.advance(10);
	assert.deepEqual(
		rows.map(({ state, times }) => [state, times]),
		[
			[1.5, 1],
			["ABORTED", 1],
			[3.5, 1],
		],
	);
	const { answered, aborted } = batcher.stats();
	assert.deepEqual({ answered, aborted }, { answered: 2, aborted: 1 });
});

test("a row given up in the model is not told again when its batch fails, nor counted twice", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, modelMs: 10, modelTimeoutMs: 5 });
	const controller = new AbortController();
	const rows = [watch(batcher.submit(1, { signal: controller.signal }), clock), watch(batcher.submit(2), clock)];
	await clock.advance(1);
	controller.abort();
	await clock.advance(20);
	assert.deepEqual(
		rows.map(({ state, times }) => [state, times]),
		[
			["ABORTED", 1],
			["MODEL_TIMEOUT", 1],
		],
	);
	const { aborted, failed } = batcher.stats();
	assert.deepEqual({ aborted, failed }, { aborted: 1, failed: 1 });
});

test("rows given up while the model is busy are not kept in memory", async () => {
	setFlagsFromString("--expose-gc");
	const collect: () => void = runInNewContext("gc");
	const clock = new VirtualClock();
	const batcher = new MicroBatcher<object, number>(() => clock.sleep(1000).then(() => [1]), { clock });
	watch(batcher.submit({}), clock);
	await clock.advance(1);
	const given: WeakRef<object>[] = [];
	for (let i = 0; i < 10_000; i++) {
		const row = { number: i };
		const controller = new AbortController();
		batcher.submit(row, { signal: controller.signal }).catch(() => {});
		if (i === 5000) continue;
		controller.abort();
		given.push(new WeakRef(row));
	}
	await turn();
	collect();
	assert.equal(batcher.stats().waiting, 1);
	const kept = given.filter((row) => row.deref() !== undefined).length;
	assert.ok(kept < 100, `${kept} of 10,000 given-up rows are still in memory`);
});

test("a signal that fires after the answer changes nothing", async () => {
	const { clock, batcher } = rig();
	const controller = new AbortController();
	const row = watch(batcher.submit(1, { signal: controller.signal }), clock);
	await clock.advance(1);
	controller.abort();
	await clock.advance(1);
	assert.deepEqual([row.state, row.times], [1.5, 1]);
	assert.equal(batcher.stats().aborted, 0);
});

test("the error says that the caller gave up, and why", async () => {
	const { batcher } = rig({ maxWaitMs: 5 });
	const controller = new AbortController();
	const row = batcher.submit(1, { signal: controller.signal });
	controller.abort(new Error("client hung up"));
	await assert.rejects(row, (error) => {
		assert.ok(isBatcherError(error) && error.cause instanceof Error);
		assert.equal(error.code, "ABORTED");
		assert.equal(error.cause.message, "client hung up");
		return true;
	});
});

test("one signal for many rows has one listener, none when they are settled, and no warning", async () => {
	const warnings: Error[] = [];
	const onWarning = (warning: Error): number => warnings.push(warning);
	process.on("warning", onWarning);
	const { clock, batcher } = rig({ maxBatchSize: 4 });
	const { signal } = new AbortController();
	const rows = Array.from({ length: 100 }, (_, row) => watch(batcher.submit(row, { signal }), clock));
	assert.equal(getEventListeners(signal, "abort").length, 1);
	await clock.advance(1);
	assert.ok(rows.every(({ state }, row) => state === row + 0.5));
	assert.equal(getEventListeners(signal, "abort").length, 0);
	await turn();
	process.off("warning", onWarning);
	assert.deepEqual(warnings, []);
});

test("one signal gives up all its rows, in the queue and in the model", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 2, modelMs: 10 });
	const controller = new AbortController();
	const rows = [1, 2, 3, 4, 5].map((row) => watch(batcher.submit(row, { signal: controller.signal }), clock));
	await clock.advance(1);
	controller.abort();
	await clock.advance(50);
	assert.ok(rows.every(({ state, times }) => state === "ABORTED" && times === 1));
	assert.equal(calls.length, 1);
	assert.equal(getEventListeners(controller.signal, "abort").length, 0);
	assert.equal(batcher.stats().aborted, 5);
});

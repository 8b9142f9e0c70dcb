import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { MicroBatcher, VirtualClock } from "batching-lab/batcher";
import { rig, watch } from "./harness.js";

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test("scores come back in the order of the rows", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 4 });
	const scores = watch(batcher.submitMany([7, 3, 5]), clock);
	await clock.advance(1);
	assert.deepEqual(scores.state, [7.5, 3.5, 5.5]);
});

test("rows are counted, not requests: more than B rows go in consecutive batches", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 4, modelMs: 1 });
	const scores = watch(batcher.submitMany(range(10)), clock);
	await clock.advance(20);
	assert.deepEqual(
		calls.map(({ rows }) => rows),
		[
			[0, 1, 2, 3],
			[4, 5, 6, 7],
			[8, 9],
		],
	);
	assert.deepEqual(
		scores.state,
		range(10).map((row) => row + 0.5),
	);
});

test("rows of different requests share a batch", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 8 });
	const many = watch(batcher.submitMany([1, 2, 3]), clock);
	const one = watch(batcher.submit(4), clock);
	await clock.advance(1);
	assert.equal(calls.length, 1);
	assert.deepEqual(many.state, [1.5, 2.5, 3.5]);
	assert.equal(one.state, 4.5);
});

test("no rows, no wait", async () => {
	const { batcher, calls } = rig();
	assert.deepEqual(await batcher.submitMany([]), []);
	assert.deepEqual(calls, []);
});

test("submitDetailed and submitManyDetailed name the batch of each row", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2 });
	const many = watch(batcher.submitManyDetailed([1, 2, 3]), clock);
	const one = watch(batcher.submitDetailed(4), clock);
	await clock.advance(1);
	assert.deepEqual(many.state, [
		{ score: 1.5, batchId: 1, batchSize: 2 },
		{ score: 2.5, batchId: 1, batchSize: 2 },
		{ score: 3.5, batchId: 2, batchSize: 2 },
	]);
	assert.deepEqual(one.state, { score: 4.5, batchId: 2, batchSize: 2 });
});

test("all rows are accepted or none", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, maxQueue: 4, maxWaitMs: 5 });
	const one = watch(batcher.submit(1), clock);
	const refused = watch(batcher.submitMany([2, 3, 4, 5]), clock);
	await clock.advance(0);
	assert.equal(refused.state, "QUEUE_FULL");
	assert.equal(batcher.stats().rejected.queueFull, 4);
	await clock.advance(10);
	assert.equal(one.state, 1.5);
});

test("a request that can never fit says so", async () => {
	const { batcher } = rig({ maxBatchSize: 2, maxQueue: 4 });
	await assert.rejects(batcher.submitMany(range(5)), { code: "TOO_MANY_ROWS", message: /5 rows .* maxQueue is 4/ });
});

test("one bad row rejects its request once; its waiting rows are given up, its neighbours are not", async () => {
	const clock = new VirtualClock();
	const calls: (readonly number[])[] = [];
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			calls.push(rows);
			return rows.map((row) => (row === 13 ? new Error("unlucky") : row + 0.5));
		},
		{ clock, maxBatchSize: 2 },
	);
	const many = watch(batcher.submitMany([1, 13, 2, 3]), clock);
	const one = watch(batcher.submit(4), clock);
	await clock.advance(1);
	assert.deepEqual([many.state, many.times], ["MODEL_FAILED", 1]);
	assert.equal(one.state, 4.5);
	assert.deepEqual(calls, [[1, 13], [4]]);
	const { answered, failed, discarded } = batcher.stats();
	assert.deepEqual({ answered, failed, discarded }, { answered: 2, failed: 1, discarded: 2 });
});

test("a request given up takes all its rows along, wherever they are", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 2, modelMs: 10 });
	const controller = new AbortController();
	const many = watch(batcher.submitMany(range(6), { signal: controller.signal }), clock);
	const one = watch(batcher.submit(9), clock);
	await clock.advance(15);
	controller.abort();
	await clock.advance(50);
	assert.deepEqual([many.state, many.times, many.atMs], ["ABORTED", 1, 15]);
	assert.equal(one.state, 9.5);
	assert.deepEqual(
		calls.map(({ rows }) => rows),
		[[0, 1], [2, 3], [9]],
	);
	assert.equal(getEventListeners(controller.signal, "abort").length, 0);
	// Two were answered before, but to a request that never got them.
	assert.equal(batcher.stats().aborted, 4);
});

test("an overdue row fails its request once", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, modelMs: 10, queueDeadlineMs: 15 });
	const many = watch(batcher.submitMany(range(6)), clock);
	await clock.advance(50);
	assert.deepEqual([many.state, many.times], ["QUEUE_DEADLINE", 1]);
	const { answered, overdue, discarded } = batcher.stats();
	assert.deepEqual({ answered, overdue, discarded }, { answered: 2, overdue: 2, discarded: 2 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { batchByHand, batchesOf, becauseOf, hooks } from "batching-lab/story";

test("three batches by hand leave when they are full or their first row has waited W", async () => {
	const { batches, answeredMs } = await batchByHand({
		maxBatchSize: 3,
		maxWaitMs: 2,
		modelMs: 1,
		arrivalsMs: [0, 0.5, 1, 4, 7, 7.2],
	});
	assert.deepEqual(
		batches.map(({ rows, leavesMs, reason }) => [rows, leavesMs, reason]),
		[
			[[0, 1, 2], 1, "full"],
			[[3], 6, "timer"],
			[[4, 5], 9, "timer"],
		],
	);
	assert.deepEqual(answeredMs, [2, 2, 2, 7, 10, 10]);
});

test("a batch that forms while the model works leaves when the model is back", async () => {
	const { batches } = await batchByHand({ maxBatchSize: 8, maxWaitMs: 0, modelMs: 5, arrivalsMs: [0, 1, 2, 3] });
	assert.deepEqual(
		batches.map(({ rows, leavesMs, reason }) => [rows, leavesMs, reason]),
		[
			[[0], 0, "idle"],
			[[1, 2, 3], 5, "idle"],
		],
	);
});

test("a row whose wait ends while the model works leaves when the model is back, and the table says so", async () => {
	const byHand = await batchByHand({
		maxBatchSize: 3,
		maxWaitMs: 2,
		modelMs: 4,
		arrivalsMs: [0, 0.5, 1, 2, 10, 10.2],
	});
	assert.deepEqual(
		byHand.batches.map(({ rows, leavesMs, reason }) => [rows, leavesMs, reason]),
		[
			[[0, 1, 2], 1, "full"],
			[[3], 5, "timer"],
			[[4, 5], 12, "timer"],
		],
	);
	assert.deepEqual(
		byHand.batches.map((batch) => becauseOf(byHand, batch)),
		[
			"`full`: every seat was taken",
			"`timer`: its first row had waited W, and the model was busy until now",
			"`timer`: its first row had waited W",
		],
	);
});

test("a batch that fills while the model works leaves when the model is back, and the table says so", async () => {
	const byHand = await batchByHand({ maxBatchSize: 2, maxWaitMs: 2, modelMs: 4, arrivalsMs: [0, 0, 1, 1.5] });
	assert.deepEqual(
		byHand.batches.map((batch) => [batch.leavesMs, becauseOf(byHand, batch)]),
		[
			[0, "`full`: every seat was taken"],
			[4, "`full`: every seat was taken, and the model was busy until now"],
		],
	);
});

test("on real sockets a flush from a microtask makes batches of one, from setImmediate one of six", async () => {
	const seen = await hooks();
	assert.deepEqual(batchesOf(seen.microtask), [1, 1, 1, 1, 1, 1]);
	assert.deepEqual(batchesOf(seen.setImmediate), [6]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { traceBatcher } from "batching-lab/sim";

test("one batch by hand: three rows within W, one later", async () => {
	const { events, batches, endedMs } = await traceBatcher({
		maxBatchSize: 4,
		maxWaitMs: 2,
		modelMs: 3,
		arrivalsMs: [0, 0.5, 1, 6],
	});
	assert.deepEqual(
		events.map(({ atMs, text }) => `${atMs} ${text}`),
		[
			"0 row 1 arrives",
			"0.5 row 2 arrives",
			"1 row 3 arrives",
			"2 batch 1 leaves with rows 1, 2, 3",
			'5 batch 1 is back: it had left for "timer", its first row had waited 2 ms',
			"5 row 1 has its answer",
			"5 row 2 has its answer",
			"5 row 3 has its answer",
			"6 row 4 arrives",
			"8 batch 2 leaves with row 4",
			'11 batch 2 is back: it had left for "timer", its first row had waited 2 ms',
			"11 row 4 has its answer",
		],
	);
	assert.deepEqual(batches, [
		{ batchId: 1, rows: [1, 2, 3], reason: "timer", firstSubmitMs: 0, leavesMs: 2, doneMs: 5 },
		{ batchId: 2, rows: [4], reason: "timer", firstSubmitMs: 6, leavesMs: 8, doneMs: 11 },
	]);
	assert.deepEqual(endedMs, [5, 5, 5, 11]);
});

test("with W = 0 the first row leaves alone and the others share the next trip", async () => {
	const { batches } = await traceBatcher({ maxBatchSize: 8, maxWaitMs: 0, modelMs: 5, arrivalsMs: [0, 1, 2, 3] });
	assert.deepEqual(
		batches.map(({ rows, leavesMs, reason }) => [rows, leavesMs, reason]),
		[
			[[1], 0, "idle"],
			[[2, 3, 4], 5, "idle"],
		],
	);
});

test("the model may take longer for more rows", async () => {
	const { endedMs } = await traceBatcher({
		maxBatchSize: 3,
		maxWaitMs: 10,
		modelMs: (rows) => 1 + rows,
		arrivalsMs: [0, 0, 0],
	});
	assert.deepEqual(endedMs, [4, 4, 4]);
});

test("deadlines, callers who give up and a full queue are in the story", async () => {
	const { events } = await traceBatcher({
		maxBatchSize: 1,
		maxWaitMs: 0,
		modelMs: 10,
		maxQueue: 2,
		arrivalsMs: [0, 1, 2, 3],
		deadlinesMs: [undefined, 4],
		abortsMs: [undefined, undefined, 5],
	});
	assert.deepEqual(
		events.filter(({ what }) => what === "fails").map(({ atMs, text }) => `${atMs} ${text}`),
		["3 row 4 fails: QUEUE_FULL", "5.000001 row 2 fails: QUEUE_DEADLINE", "7 row 3 fails: ABORTED"],
	);
});

test("a trace made twice is the same", async () => {
	const options = { maxBatchSize: 3, maxWaitMs: 1.5, modelMs: 2, arrivalsMs: [0, 0, 1, 1, 1, 4, 9] };
	assert.deepEqual(await traceBatcher(options), await traceBatcher(options));
});

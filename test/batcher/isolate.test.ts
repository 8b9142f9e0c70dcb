import assert from "node:assert/strict";
import { test } from "node:test";
import { type BatcherOptions, type BatchReport, MicroBatcher, VirtualClock } from "batching-lab/batcher";
import { type Outcome, watch } from "./harness.js";

interface Poisoned {
	readonly clock: VirtualClock;
	readonly batcher: MicroBatcher<number, number>;
	readonly calls: (readonly number[])[];
	readonly reports: BatchReport[];
	readonly submit: (...rows: readonly number[]) => Outcome<number>[];
}

/** A model that throws when a batch has a negative row in it, after 1 ms. */
function poisoned(options: BatcherOptions = {}): Poisoned {
	const clock = new VirtualClock();
	const calls: (readonly number[])[] = [];
	const reports: BatchReport[] = [];
	const batcher = new MicroBatcher<number, number>(
		async (rows) => {
			calls.push(rows);
			await clock.sleep(1);
			if (rows.some((row) => row < 0)) throw new Error("poison");
			return rows.map((row) => row + 0.5);
		},
		{ clock, maxBatchSize: 4, isolate: true, onBatch: (report) => reports.push(report), ...options },
	);
	const submit = (...rows: readonly number[]): Outcome<number>[] =>
		rows.map((row) => watch(batcher.submit(row), clock));
	return { clock, batcher, calls, reports, submit };
}

test("one poison row costs one error", async () => {
	const { clock, batcher, calls, submit } = poisoned();
	const rows = submit(1, -2, 3, 4);
	await clock.advance(20);
	assert.deepEqual(
		rows.map(({ state, times }) => [state, times]),
		[
			[1.5, 1],
			["MODEL_FAILED", 1],
			[3.5, 1],
			[4.5, 1],
		],
	);
	assert.deepEqual(calls, [[1, -2, 3, 4], [1], [-2], [3], [4]]);
	const { answered, failed } = batcher.stats();
	assert.deepEqual({ answered, failed }, { answered: 3, failed: 1 });
});

test("without isolate the whole batch fails", async () => {
	const { clock, calls, submit } = poisoned({ isolate: false });
	const rows = submit(1, -2, 3, 4);
	await clock.advance(20);
	assert.ok(rows.every(({ state }) => state === "MODEL_FAILED"));
	assert.equal(calls.length, 1);
});

test("the second tries go before the rows that wait, one call at a time, each with a report of its own", async () => {
	const { clock, calls, reports, submit } = poisoned({ maxBatchSize: 2 });
	const rows = submit(1, -2, 3, 4);
	await clock.advance(20);
	assert.deepEqual(calls, [[1, -2], [1], [-2], [3, 4]]);
	assert.deepEqual(
		reports.map(({ batchId, size, retryOf, failed, error }) => [batchId, size, retryOf, failed, error?.code]),
		[
			[1, 2, undefined, 0, "MODEL_FAILED"],
			[2, 1, 1, 0, undefined],
			[3, 1, 1, 1, "MODEL_FAILED"],
			[4, 2, undefined, 0, undefined],
		],
	);
	assert.deepEqual(
		rows.map(({ atMs }) => atMs),
		[2, 3, 4, 4],
	);
});

test("an answer names the call that made it, not the one that failed", async () => {
	const { clock, batcher } = poisoned();
	const rows = [1, -2].map((row) => watch(batcher.submitDetailed(row), clock));
	await clock.advance(20);
	assert.deepEqual(rows[0]?.state, { score: 1.5, batchId: 2, batchSize: 1 });
});

test("a batch of one is not tried twice", async () => {
	const { clock, calls, submit } = poisoned();
	const rows = submit(-1);
	await clock.advance(20);
	assert.equal(rows[0]?.state, "MODEL_FAILED");
	assert.equal(calls.length, 1);
});

test("a row given up while it waits for its second try is not tried", async () => {
	const { clock, batcher, calls } = poisoned();
	const controller = new AbortController();
	const rows = [
		watch(batcher.submit(-1), clock),
		watch(batcher.submit(2, { signal: controller.signal }), clock),
		watch(batcher.submit(3), clock),
	];
	await clock.advance(1.5);
	assert.equal(batcher.stats().inModel, 3);
	controller.abort();
	await clock.advance(20);
	assert.deepEqual(
		rows.map(({ state }) => state),
		["MODEL_FAILED", "ABORTED", 3.5],
	);
	assert.deepEqual(calls, [[-1, 2, 3], [-1], [3]]);
});

test("a wrong count is tried again too, a score that is not finite is not: its row is known", async () => {
	const clock = new VirtualClock();
	const sizes: number[] = [];
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			sizes.push(rows.length);
			if (rows.includes(7)) return [Number.NaN, 8];
			return rows.length > 1 ? [] : rows;
		},
		{ clock, maxBatchSize: 2, isolate: true },
	);
	const miscounted = [1, 2].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(1);
	assert.deepEqual(
		miscounted.map(({ state }) => state),
		[1, 2],
	);
	const infinite = [7, 8].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(1);
	assert.deepEqual(
		infinite.map(({ state }) => state),
		["NON_FINITE_SCORE", 8],
	);
	assert.deepEqual(sizes, [2, 1, 1, 2]);
});

test("drain waits for the second tries", async () => {
	const { clock, batcher, submit } = poisoned();
	const rows = submit(1, -2, 3);
	const drained = watch(batcher.drain(), clock);
	await clock.advance(3.5);
	assert.equal(drained.times, 0);
	await clock.advance(20);
	assert.equal(drained.atMs, 4);
	assert.ok(rows.every(({ times }) => times === 1));
});

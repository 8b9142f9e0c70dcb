import assert from "node:assert/strict";
import { test } from "node:test";
import {
	BATCHER_ERROR_CODES,
	BatcherError,
	type BatcherOptions,
	isBatcherError,
	MicroBatcher,
} from "batching-lab/batcher";

const identity = (rows: readonly number[]): readonly number[] => rows;

const refused: readonly [BatcherOptions, RegExp][] = [
	[{ maxBatchSize: 0 }, /^maxBatchSize must be a whole number, 1 or more, got 0 \(number\)$/],
	[{ maxBatchSize: 1.5 }, /^maxBatchSize .* got 1\.5/],
	[{ maxBatchSize: Number.POSITIVE_INFINITY }, /^maxBatchSize .* got Infinity/],
	[{ maxWaitMs: -1 }, /^maxWaitMs must be a finite number of milliseconds, 0 or more, got -1 \(number\)$/],
	[{ maxWaitMs: Number.NaN }, /^maxWaitMs .* got NaN/],
	[{ maxWaitMs: Number.POSITIVE_INFINITY }, /^maxWaitMs .* got Infinity/],
	[{ maxQueue: 31 }, /^maxQueue must be a whole number, 32 or more, got 31/],
	[
		{ queueDeadlineMs: 0 },
		/^queueDeadlineMs must be a number of milliseconds above 0 \(Infinity for no limit\), got 0/,
	],
	[{ modelTimeoutMs: -5 }, /^modelTimeoutMs .* got -5/],
	[{ maxInFlight: 0 }, /^maxInFlight must be a whole number, 1 or more, got 0/],
];
for (const [options, message] of refused) {
	test(`refused by name, value and type: ${JSON.stringify(options)} ${message.source.slice(-12)}`, () => {
		assert.throws(() => new MicroBatcher(identity, options), { name: "BatcherError", code: "BAD_OPTION", message });
	});
}

const untyped: readonly [string, RegExp][] = [
	['{"maxBatchSize":"32"}', /^maxBatchSize .* got "32" \(string\)$/],
	['{"maxWaitMs":"2"}', /^maxWaitMs .* got "2" \(string\)$/],
	['{"isolate":1}', /^isolate must be true or false, got 1 \(number\)$/],
	['{"onBatch":5}', /^onBatch must be a function, got 5 \(number\)$/],
];
for (const [options, message] of untyped) {
	test(`refused although no compiler looked: ${options}`, () => {
		assert.throws(() => new MicroBatcher(identity, JSON.parse(options)), { code: "BAD_OPTION", message });
	});
}

test("a score function that is none", () => {
	assert.throws(() => new MicroBatcher(JSON.parse("7")), { code: "BAD_OPTION", message: /^score must be a function/ });
});

test("no options at all is W = 0, B = 32", async () => {
	const sizes: number[] = [];
	const batcher = new MicroBatcher<number, number>((rows) => {
		sizes.push(rows.length);
		return rows;
	});
	await Promise.all(Array.from({ length: 70 }, (_, row) => batcher.submit(row)));
	assert.deepEqual(sizes, [32, 32, 6]);
});

test("Infinity means no limit", async () => {
	const none = Number.POSITIVE_INFINITY;
	const batcher = new MicroBatcher(identity, { queueDeadlineMs: none, modelTimeoutMs: none });
	assert.equal(await batcher.submit(3, { deadlineMs: none }), 3);
});

test("the default queue grows with B, so that it can always fill four batches", async () => {
	const batcher = new MicroBatcher(identity, { maxBatchSize: 1000 });
	assert.equal((await batcher.submitMany(Array.from({ length: 4000 }, (_, row) => row))).length, 4000);
});

test("errors carry code, hint and exit code, and are recognised", () => {
	const error = new BatcherError("QUEUE_FULL", "full", { hint: "wait" });
	assert.deepEqual([error.name, error.code, error.hint, error.exitCode], ["BatcherError", "QUEUE_FULL", "wait", 1]);
	assert.ok(isBatcherError(error));
	assert.ok(!isBatcherError(new Error("full")));
	assert.equal(new Set(BATCHER_ERROR_CODES).size, BATCHER_ERROR_CODES.length);
});

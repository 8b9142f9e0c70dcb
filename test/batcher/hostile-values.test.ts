/** Values that no sane caller returns or throws, and that all do come: none of them may stop the loop or the process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { type BatcherOptions, MicroBatcher, type Scores } from "batching-lab/batcher";
import { codeOf } from "./harness.js";

type Score = (rows: readonly number[]) => Scores<number> | PromiseLike<Scores<number>>;

/** `String()` of it throws a TypeError. */
const bare: object = Object.create(null);

function rejecting(thrown: unknown): Score {
	return () => Promise.reject(thrown);
}

function throwing(thrown: unknown): () => never {
	return () => {
		throw thrown;
	};
}

/** The first row meets `fault`, the second a model that works; it would wait for ever behind a loop that has stopped. */
async function twoRows(fault: Score, options: BatcherOptions = {}): Promise<(number | string)[]> {
	let calls = 0;
	const batcher = new MicroBatcher<number, number>((rows) => (++calls === 1 ? fault(rows) : rows), {
		maxBatchSize: 1,
		...options,
	});
	const results = await Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
	const { submitted, answered, failed, waiting, inModel } = batcher.stats();
	assert.deepEqual([submitted, waiting, inModel], [answered + failed, 0, 0]);
	return results.map((result) => (result.status === "fulfilled" ? result.value : codeOf(result.reason)));
}

/** An array-like that says how long it is and fails when it is read, like a tensor whose memory has been given back. */
const disposed: Scores<number> = new Proxy([1], {
	get(target, key) {
		if (key === "0") throw new Error("disposed");
		return Reflect.get(target, key);
	},
});

test("a thrown or rejected value that cannot be written out is a MODEL_FAILED like any other", async () => {
	const nameless = Object.defineProperty(new Error(), "message", { get: throwing("no message") });
	const { proxy: revoked, revoke } = Proxy.revocable({}, {});
	revoke();
	for (const thrown of [bare, nameless, Symbol("boom"), revoked, { toString: throwing("no text") }]) {
		assert.deepEqual(await twoRows(rejecting(thrown)), ["MODEL_FAILED", 2]);
		assert.deepEqual(await twoRows(throwing(thrown)), ["MODEL_FAILED", 2]);
	}
});

test("a result that fails when it is looked at fails its rows", async () => {
	assert.deepEqual(await twoRows(() => disposed), ["MODEL_FAILED", 2]);
	assert.deepEqual(await twoRows(async () => disposed), ["MODEL_FAILED", 2]);
	const lengthless = Object.defineProperty([1], "0", { value: 1 });
	const hidden = new Proxy(lengthless, { has: throwing(new Error("disposed")) });
	assert.deepEqual(await twoRows(async () => hidden), ["MODEL_FAILED", 2]);
	const strange = new Proxy(lengthless, { get: (_, key) => (key === "length" ? bare : undefined) });
	assert.deepEqual(await twoRows(async () => strange), ["BAD_SCORE_COUNT", 2]);
});

test("a result that fails when it is looked at ends its own call, and no other", async () => {
	const results = await twoRows(() => disposed, { maxInFlight: 3 });
	assert.deepEqual(results, ["MODEL_FAILED", 2]);
});

test("an Error of another realm in a slot is an error", async () => {
	const foreign: Scores<number> = runInNewContext('[new Error("boom")]');
	assert.deepEqual(await twoRows(() => foreign), ["MODEL_FAILED", 2]);
});

test("an observer that throws what cannot be written out is counted, and the loop lives on", async () => {
	const warned = new Promise((resolve) => process.once("warning", resolve));
	let batches = 0;
	const batcher = new MicroBatcher<number, number>(async (rows) => rows, {
		maxBatchSize: 1,
		onBatch() {
			batches++;
			throw bare;
		},
	});
	assert.deepEqual(await Promise.all([1, 2, 3].map((row) => batcher.submit(row))), [1, 2, 3]);
	assert.deepEqual([batches, batcher.stats().batches, batcher.stats().onBatchErrors], [3, 3, 3]);
	assert.match(String(await warned), /ON_BATCH_THREW|onBatch threw/);
});

test("an option that cannot be written out is named all the same", () => {
	const make: (score: Score, options: never) => unknown = (score, options) => new MicroBatcher(score, options);
	assert.throws(() => Reflect.apply(make, undefined, [throwing(1), { maxBatchSize: bare }]), {
		code: "BAD_OPTION",
		message: /^maxBatchSize must be/,
	});
});

test("a sparse array has as many rows as it is long", async () => {
	const sparse: number[] = [];
	sparse[2] = 3;
	const batcher = new MicroBatcher<number | undefined, string>((rows) => rows.map(String));
	assert.deepEqual(await batcher.submitMany(sparse), ["undefined", "undefined", "3"]);
	assert.equal(await batcher.submit(5), "5");
	assert.equal(batcher.stats().waiting, 0);
});

test("rows that are no array are refused, and counted nowhere", async () => {
	const batcher = new MicroBatcher<number, number>((rows) => rows);
	for (const rows of [new Set([1]), Float32Array.of(1, 2, 3), null, "123"]) {
		const submitMany: (rows: never) => Promise<unknown> = (given) => batcher.submitMany(given);
		await assert.rejects(Reflect.apply(submitMany, undefined, [rows]), {
			code: "BAD_OPTION",
			message: /^rows must be/,
		});
	}
	assert.deepEqual(batcher.stats().rejected, { queueFull: 0, closed: 0, stuck: 0 });
	assert.equal(await batcher.submit(5), 5);
});

test("a signal that is none is refused", async () => {
	const batcher = new MicroBatcher<number, number>((rows) => rows);
	const submit: (row: number, options: never) => Promise<unknown> = (row, options) => batcher.submit(row, options);
	for (const signal of [{}, null, true]) {
		await assert.rejects(Reflect.apply(submit, undefined, [1, { signal }]), { code: "BAD_OPTION", message: /^signal/ });
	}
	assert.equal(batcher.stats().submitted, 0);
});

test("a failed batch of 200,000 rows gets its second tries", async () => {
	const rows = Array.from({ length: 200_000 }, (_, row) => row);
	const batcher = new MicroBatcher<number, number>(
		async (batch) => {
			if (batch.length > 1) throw new Error("boom");
			return batch;
		},
		{ maxBatchSize: rows.length, isolate: true },
	);
	assert.deepEqual(await batcher.submitMany(rows), rows);
});

test("40,000 rows of one request are given up together, each once", async () => {
	const batcher = new MicroBatcher<number, number>((rows) => rows, { maxQueue: 40_000, maxWaitMs: 60_000 });
	const scores = batcher.submitMany(new Array(40_000).fill(1)).catch(codeOf);
	await batcher.close({ discard: true });
	assert.equal(await scores, "CLOSED");
	const { submitted, discarded, waiting } = batcher.stats();
	assert.deepEqual([submitted, discarded, waiting], [40_000, 40_000, 0]);
});

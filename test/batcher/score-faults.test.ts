import assert from "node:assert/strict";
import { test } from "node:test";
import { isBatcherError, MicroBatcher, type Scores, VirtualClock } from "batching-lab/batcher";
import { watch } from "./harness.js";

type Result = Scores<number> | PromiseLike<Scores<number>>;

/** Two good rows, then a batch of three for which the model does `fault`, then two good rows. */
async function around(fault: (rows: readonly number[]) => Result): Promise<(number | string)[]> {
	const clock = new VirtualClock();
	let call = 0;
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			call++;
			return call === 2 ? fault(rows) : rows.map((row) => row + 0.5);
		},
		{ clock, maxBatchSize: 3 },
	);
	const batches = [
		[1, 2],
		[3, 4, 5],
		[6, 7],
	];
	const outcomes = [];
	for (const rows of batches) {
		outcomes.push(...rows.map((row) => watch(batcher.submit(row), clock)));
		await clock.advance(1);
	}
	assert.ok(outcomes.every(({ times }) => times === 1));
	const { submitted, answered, failed } = batcher.stats();
	assert.equal(submitted, answered + failed);
	return outcomes.map(({ state }) => state);
}

/** The three outcomes of the faulty batch between good ones. */
const between = (...middle: (number | string)[]): (number | string)[] => [1.5, 2.5, ...middle, 6.5, 7.5];
const all = (code: string): (number | string)[] => between(code, code, code);

/** What JavaScript lets a caller write although the types forbid it. */
function untyped(value: unknown): Result {
	return JSON.parse(JSON.stringify({ value })).value;
}

test("a throw fails its batch and only its batch", async () => {
	assert.deepEqual(
		await around(() => {
			throw new Error("boom");
		}),
		all("MODEL_FAILED"),
	);
});

test("a rejection fails its batch and only its batch", async () => {
	assert.deepEqual(await around(() => Promise.reject(new Error("boom"))), all("MODEL_FAILED"));
});

test("a throw of something that is no error", async () => {
	assert.deepEqual(
		await around(() => {
			throw "boom";
		}),
		all("MODEL_FAILED"),
	);
});

test("a promise-like whose `then` throws", async () => {
	const isThen = (key: string | symbol): boolean => key === "then";
	const thenable = new Proxy([1, 2, 3], {
		has: (target, key) => isThen(key) || Reflect.has(target, key),
		get: (target, key) => {
			if (isThen(key)) throw new Error("boom");
			return Reflect.get(target, key);
		},
	});
	assert.deepEqual(await around(() => thenable), all("MODEL_FAILED"));
});

test("too few scores: nobody gets an empty answer, nobody gets another row's", async () => {
	assert.deepEqual(await around(() => [3.5, 4.5]), all("BAD_SCORE_COUNT"));
	assert.deepEqual(await around(() => []), all("BAD_SCORE_COUNT"));
});

test("too many scores", async () => {
	assert.deepEqual(await around((rows) => [...rows, 9]), all("BAD_SCORE_COUNT"));
});

for (const nothing of [null, 7, "abc", {}]) {
	test(`no scores at all: ${JSON.stringify(nothing)}`, async () => {
		assert.deepEqual(await around(() => untyped(nothing)), all("BAD_SCORE_COUNT"));
	});
}

test("a score that is not finite costs its own row only", async () => {
	assert.deepEqual(await around(() => [Number.NaN, 4.5, 5.5]), between("NON_FINITE_SCORE", 4.5, 5.5));
	assert.deepEqual(
		await around(() => [3.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]),
		between(3.5, "NON_FINITE_SCORE", "NON_FINITE_SCORE"),
	);
});

test("an Error in a slot goes to that caller only, with its cause", async () => {
	const reason = new Error("no such customer");
	assert.deepEqual(await around(() => [3.5, reason, 5.5]), between(3.5, "MODEL_FAILED", 5.5));
	const batcher = new MicroBatcher<number, number>(() => [reason]);
	await assert.rejects(batcher.submit(1), (error) => {
		assert.ok(isBatcherError(error));
		assert.equal(error.cause, reason);
		assert.match(error.message, /no such customer/);
		return true;
	});
});

test("an empty slot costs its own row only", async () => {
	const scores: number[] = [];
	scores[0] = 3.5;
	scores[2] = 5.5;
	assert.deepEqual(await around(() => scores), between(3.5, "BAD_SCORE_COUNT", 5.5));
});

test("typed arrays are scores too, and a score need not be a number", async () => {
	const floats = new MicroBatcher<number>((rows) => Float32Array.from(rows, (row) => row / 3));
	assert.equal(await floats.submit(1), Math.fround(1 / 3));
	const words = new MicroBatcher((rows: readonly number[]) => rows.map((row) => ({ word: "n".repeat(row) })));
	const { word } = await words.submit(3);
	assert.equal(word, "nnn");
});

test("the array of rows belongs to the score function", async () => {
	const kept: (readonly number[])[] = [];
	const batcher = new MicroBatcher<number, number>((rows) => {
		kept.push(rows);
		return rows;
	});
	await Promise.all([batcher.submit(1), batcher.submit(2)]);
	await batcher.submit(3);
	assert.deepEqual(kept, [[1, 2], [3]]);
});

test("the score function may call the batcher back", async () => {
	const clock = new VirtualClock();
	const inner: Promise<number>[] = [];
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			if (rows.includes(1)) inner.push(batcher.submit(10));
			return rows.map((row) => row + 0.5);
		},
		{ clock },
	);
	const outer = watch(batcher.submit(1), clock);
	await clock.advance(1);
	assert.equal(outer.state, 1.5);
	assert.deepEqual(await Promise.all(inner), [10.5]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ulpDistance } from "batching-lab/base";
import { bitCheck, compareBits, functionModel, singleRowScores } from "batching-lab/model";
import fc from "fast-check";

const inputs = [{ name: "x", type: "float32", width: 1 } as const];
const rows = { columns: { x: Float32Array.from({ length: 100 }, (_, row) => (row + 1) / 100) }, rows: 100 };
const sizesSeen: number[] = [];
const exact = functionModel("exact", inputs, ({ x }, count) => {
	sizesSeen.push(count);
	return Float32Array.from(x ?? [], Number);
});
/** One unit in the last place more for every row whose place in its call is odd. */
const nudged = functionModel("nudged", inputs, ({ x }) => {
	const scores = Float32Array.from(x ?? [], Number);
	const bits = new Uint32Array(scores.buffer);
	for (let row = 1; row < bits.length; row += 2) bits[row] = Number(bits[row]) + 1;
	return scores;
});

test("rows go alone, then in every size, then all together; leftovers go too", async () => {
	sizesSeen.length = 0;
	const result = await bitCheck(exact, rows, { sizes: [64, 2, 1024] });
	assert.deepEqual(
		sizesSeen,
		[...Array.from({ length: 100 }, () => 1), ...Array.from({ length: 50 }, () => 2), 64, 36, 100],
		"1,024 rows are more than there are: that is all in one call",
	);
	assert.equal(result.identical, true);
	assert.equal(result.distinctScores, 100);
	assert.deepEqual(
		result.sizes.map(({ size, differingRows, maxUlp, maxAbs }) => [size, differingRows, maxUlp, maxAbs]),
		[
			[2, 0, 0, 0],
			[64, 0, 0, 0],
			[100, 0, 0, 0],
		],
	);
});

test("one unit in the last place is a difference, and is counted by row and size", async () => {
	const { identical, sizes } = await bitCheck(nudged, rows, { sizes: [2, 3] });
	assert.equal(identical, false);
	assert.deepEqual(
		sizes.map(({ size, differingRows, maxUlp }) => ({ size, differingRows, maxUlp })),
		[
			{ size: 2, differingRows: 50, maxUlp: 1 },
			{ size: 3, differingRows: 33, maxUlp: 1 },
			{ size: 100, differingRows: 50, maxUlp: 1 },
		],
	);
	assert.ok(sizes.every(({ maxAbs }) => maxAbs > 0 && maxAbs < 2e-7));
});

test("a saturated model shows in its distinct scores", async () => {
	const constant = functionModel("constant", inputs, (_, count) => new Float32Array(count).fill(1));
	const { distinctScores, identical } = await bitCheck(constant, rows);
	assert.deepEqual({ distinctScores, identical }, { distinctScores: 1, identical: true });
});

test("without sizes: powers of two up to 1,024, and progress that ends at its total", async () => {
	const events: number[] = [];
	const { sizes } = await bitCheck(exact, rows, { onProgress: ({ done, total }) => events.push(done / total) });
	assert.deepEqual(
		sizes.map(({ size }) => size),
		[2, 4, 8, 16, 32, 64, 100],
	);
	assert.equal(events.at(-1), 1);
});

test("an abort ends it; a bad size is named", async () => {
	const many = { columns: { x: new Float32Array(5000) }, rows: 5000 };
	await assert.rejects(bitCheck(exact, many, { signal: AbortSignal.abort() }), { code: "INTERRUPTED", exitCode: 130 });
	await assert.rejects(bitCheck(exact, rows, { sizes: [0] }), { code: "BAD_OPTION", message: /got 0/ });
	await assert.rejects(singleRowScores(exact, { columns: {}, rows: 1 }), { code: "BAD_MODEL_INPUT", message: /"x"/ });
});

const bitsOf = (value: number) => Number(new Uint32Array(Float32Array.of(value).buffer)[0]);

test("distances in units in the last place, across zero too", () => {
	const tiny = 2 ** -149;
	assert.equal(ulpDistance(bitsOf(1), bitsOf(1)), 0);
	assert.equal(ulpDistance(bitsOf(1), bitsOf(1 + 2 ** -23)), 1);
	assert.equal(ulpDistance(bitsOf(1), bitsOf(1 - 2 ** -24)), 1);
	assert.equal(ulpDistance(bitsOf(-tiny), bitsOf(tiny)), 2);
	assert.equal(ulpDistance(bitsOf(0), bitsOf(-0)), 0);
});

test("any two floats: symmetric, zero only for equal values, and one more for the next float", () => {
	const float = fc.float({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(float, float, (a, b) => {
			const distance = ulpDistance(bitsOf(a), bitsOf(b));
			assert.equal(distance, ulpDistance(bitsOf(b), bitsOf(a)));
			assert.equal(distance === 0, a === b);
		}),
	);
});

test("bits are compared, not values: a zero of the other sign differs", () => {
	assert.deepEqual(compareBits(Float32Array.of(0, 1), Float32Array.of(-0, 1)), {
		differingRows: 1,
		maxUlp: 0,
		maxAbs: 0,
	});
});

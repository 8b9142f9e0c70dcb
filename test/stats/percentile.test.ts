import assert from "node:assert/strict";
import { test } from "node:test";
import { median, minimumSamples, nearestRank, percentile, sortSamples } from "batching-lab/stats";
import fc from "fast-check";

const oneTo = (count: number) => sortSamples(Array.from({ length: count }, (_, i) => count - i));

test("a percentile is the nearest rank, never a value in between", () => {
	const thousand = oneTo(1000);
	assert.equal(percentile(thousand, 50), 500);
	assert.equal(percentile(thousand, 99), 990);
	assert.equal(percentile(oneTo(1001), 50), 501);
	assert.equal(percentile(oneTo(10_000), 99.9), 9990);
});

test("ranks are exact where floating point would step one too far", () => {
	assert.equal(nearestRank(1000, 99.9), 999);
	assert.equal(nearestRank(10, 99.9), 10);
	assert.equal(nearestRank(5_000_000, 99.99), 4_999_500);
	assert.equal(nearestRank(1, 1), 1);
});

test("a percentile that the samples cannot carry is null, with the limit stated", () => {
	assert.deepEqual([50, 90, 95, 98, 99, 99.9].map(minimumSamples), [6, 36, 72, 183, 368, 3688]);
	assert.equal(percentile(oneTo(367), 99), null);
	assert.equal(percentile(oneTo(368), 99), 365);
	assert.equal(minimumSamples(1), minimumSamples(99));
});

test("values that are no numbers and percents out of range are refused by value", () => {
	assert.throws(() => sortSamples([1, Number.NaN]), { code: "NOT_FINITE", message: /sample 1 is NaN/ });
	assert.throws(() => percentile(oneTo(10), 100), { code: "BAD_PERCENTILE", message: /got 100/ });
	assert.throws(() => nearestRank(10, 0), { code: "BAD_PERCENTILE" });
	assert.throws(() => median([]), { code: "NO_SAMPLES" });
});

test("the median of few rounds is the middle one, or the mean of the two in the middle", () => {
	assert.equal(median([1100.5, 1091.3, 1098.4, 1095, 1099]), 1098.4);
	assert.equal(median([4, 1]), 2.5);
	assert.equal(median([7]), 7);
});

test("sorting leaves the caller's numbers alone", () => {
	const given = new Float64Array([3, 1, 2]);
	sortSamples(given);
	assert.deepEqual([...given], [3, 1, 2]);
});

test("a percentile agrees with its definition by counting", () => {
	fc.assert(
		fc.property(
			fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 368, maxLength: 900 }),
			fc.constantFrom(1, 5, 50, 90, 95, 98, 99),
			(values, percent) => {
				const found = percentile(sortSamples(values), percent);
				assert.notEqual(found, null);
				const need = (percent * values.length) / 100;
				const atMost = values.filter((value) => value <= (found ?? 0)).length;
				const below = values.filter((value) => value < (found ?? 0)).length;
				assert.ok(atMost >= need && below < need);
			},
		),
		{ numRuns: 60 },
	);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
	BIN_RATIO,
	binValue,
	ecdf,
	histogramOf,
	histogramPercentile,
	mergeHistograms,
	percentile,
	sortSamples,
} from "batching-lab/stats";
import fc from "fast-check";

const latency = fc.double({ min: 1, max: 1e12, noNaN: true });

test("bins are 0.1 % wide", () => {
	assert.equal(BIN_RATIO, 1.001);
	assert.ok(Math.abs(binValue(1001) / binValue(1000) - 1.001) < 1e-9);
});

test("a percentile from bins is within 0.05 % of the exact one", () => {
	fc.assert(
		fc.property(
			fc.array(latency, { minLength: 368, maxLength: 600 }),
			fc.constantFrom(1, 50, 90, 99),
			(values, percent) => {
				const exact = percentile(sortSamples(values), percent) ?? Number.NaN;
				const binned = histogramPercentile(histogramOf(values), percent) ?? Number.NaN;
				assert.ok(Math.abs(binned / exact - 1) <= 0.00051, `${binned} for ${exact}`);
			},
		),
		{ numRuns: 50 },
	);
});

test("merging histograms is the histogram of all samples", () => {
	fc.assert(
		fc.property(fc.array(latency), fc.array(latency), (left, right) => {
			const merged = mergeHistograms([histogramOf(left), histogramOf(right)]);
			const whole = histogramOf([...left, ...right]);
			assert.deepEqual({ ...merged, sum: 0 }, { ...whole, sum: 0 });
			assert.ok(Math.abs(merged.sum - whole.sum) <= 1e-9 * whole.sum);
		}),
	);
});

test("zero has a bin of its own, and the ends are exact", () => {
	const found = histogramOf([0, 0.5, 1, 7]);
	assert.deepEqual([...found.bins].slice(0, 2), [-1, 0]);
	assert.deepEqual([found.min, found.max, found.count, found.sum], [0, 7, 4, 8.5]);
	assert.equal(histogramPercentile(histogramOf(new Float64Array(400).fill(5)), 99), 5);
});

test("too few samples give no percentile, negative ones no histogram", () => {
	assert.equal(histogramPercentile(histogramOf([1, 2, 3]), 99), null);
	assert.throws(() => histogramOf([3, -1]), { code: "NOT_FINITE", message: /sample 1 is -1/ });
	assert.throws(() => histogramPercentile({ ...histogramOf([1]), count: 10 }, 50), { code: "BAD_HISTOGRAM" });
});

test("a thinned distribution ends at the largest sample and never falls", () => {
	fc.assert(
		fc.property(fc.array(latency, { minLength: 1, maxLength: 3000 }), (values) => {
			const points = ecdf(sortSamples(values), 60);
			assert.ok(points.length <= 64);
			assert.deepEqual(points.at(-1), { value: Math.max(...values), share: 1 });
			for (const [i, point] of points.entries()) {
				const share = values.filter((value) => value <= point.value).length / values.length;
				assert.ok(point.share <= share + 1e-12);
				assert.ok(i === 0 || point.value >= (points[i - 1]?.value ?? 0));
			}
		}),
		{ numRuns: 40 },
	);
	assert.deepEqual(ecdf(sortSamples([])), []);
});

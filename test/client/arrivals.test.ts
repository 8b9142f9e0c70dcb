import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { burstyArrivals, constantArrivals, drawArrivals, poissonArrivals } from "batching-lab/client";
import fc from "fast-check";

const gaps = (arrivals: Float64Array) => arrivals.map((at, i) => at - (arrivals[i - 1] ?? 0));
const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Largest distance between the sample's distribution and `cdf` (Kolmogorov–Smirnov). */
function ksDistance(values: Float64Array, cdf: (value: number) => number): number {
	const sorted = values.slice().sort();
	return sorted.reduce((most, value, i) => {
		const expected = cdf(value);
		return Math.max(most, expected - i / sorted.length, (i + 1) / sorted.length - expected);
	}, 0);
}

describe("a million Poisson arrivals", () => {
	const ratePerSecond = 1000;
	const arrivals = poissonArrivals({ ratePerSecond, seconds: 1000, seed: 20261004 });
	const drawn = gaps(arrivals);
	const n = drawn.length;

	test("there are as many as a Poisson count allows", () => {
		assert.ok(Math.abs(n - 1e6) < 4 * Math.sqrt(1e6), `${n}`);
	});

	test("the mean gap is 1 / rate and the variance is its square", () => {
		const meanGap = mean(drawn);
		const variance = mean(drawn.map((gap) => (gap - meanGap) ** 2));
		// standard errors of mean and variance of n exponential gaps: 1/√n and √8/√n of their values
		assert.ok(Math.abs(meanGap / 1e6 - 1) < 4 / Math.sqrt(n), `${meanGap}`);
		assert.ok(Math.abs(variance / 1e12 - 1) < (4 * Math.sqrt(8)) / Math.sqrt(n), `${variance}`);
	});

	test("the gaps are exponential (Kolmogorov–Smirnov, 1 % level)", () => {
		const distance = ksDistance(drawn, (gap) => 1 - Math.exp(-gap / 1e6));
		assert.ok(distance < 1.63 / Math.sqrt(n), `${distance}`);
	});

	test("neighbouring gaps do not know each other", () => {
		const meanGap = mean(drawn);
		const products = drawn.map((gap, i) => (gap - meanGap) * ((drawn[i + 1] ?? meanGap) - meanGap));
		assert.ok(Math.abs(mean(products) / 1e12) < 4 / Math.sqrt(n));
	});
});

test("every shape: ascending, inside the window, equal for equal seeds, other for other seeds", () => {
	fc.assert(
		fc.property(
			fc.constantFrom("poisson" as const, "constant" as const, "bursty" as const),
			fc.double({ min: 5, max: 5000, noNaN: true }),
			fc.double({ min: 0.05, max: 2, noNaN: true }),
			fc.integer({ min: 0, max: 2 ** 31 }),
			(shape, ratePerSecond, seconds, seed) => {
				const options = { ratePerSecond, seconds, seed };
				const arrivals = drawArrivals(shape, options);
				assert.ok(arrivals.every((at, i) => at >= (arrivals[i - 1] ?? 0) && at < seconds * 1e9));
				assert.deepEqual(drawArrivals(shape, options), arrivals);
				if (arrivals.length > 0) assert.notDeepEqual(drawArrivals(shape, { ...options, seed: seed + 1 }), arrivals);
			},
		),
		{ numRuns: 60 },
	);
});

test("constant: one every 1 / rate", () => {
	const arrivals = constantArrivals({ ratePerSecond: 250, seconds: 2, seed: 3 });
	assert.equal(arrivals.length, 500);
	assert.ok(gaps(arrivals).every((gap, i) => i === 0 || Math.abs(gap - 4e6) < 1));
});

describe("bursty", () => {
	const options = { ratePerSecond: 1000, seconds: 400, seed: 5 };
	const arrivals = burstyArrivals(options, { periodMs: 200, onShare: 0.25 });

	test("has the same mean as the other shapes", () => {
		assert.ok(Math.abs(arrivals.length - 400_000) < 4 * Math.sqrt(400_000), `${arrivals.length}`);
	});

	test("is silent for 150 ms of every 200", () => {
		const silences = gaps(arrivals).filter((gap) => gap > 140e6);
		assert.ok(Math.abs(silences.length - 2000) <= 2, `${silences.length}`);
		assert.ok(
			silences.every((gap) => gap >= 150e6 - 1),
			`${Math.min(...silences)}`,
		);
	});

	test("is Poisson at four times the rate within a burst", () => {
		const within = gaps(arrivals).filter((gap) => gap < 100e6);
		const distance = ksDistance(within, (gap) => 1 - Math.exp(-gap / 0.25e6));
		assert.ok(distance < 0.01, `${distance}`); // windows of 50 ms cut off the longest gaps
	});

	test("always on is plain Poisson with a phase of its own", () => {
		const plain = burstyArrivals({ ratePerSecond: 1000, seconds: 50, seed: 1 }, { onShare: 1 });
		assert.ok(ksDistance(gaps(plain).slice(1), (gap) => 1 - Math.exp(-gap / 1e6)) < 1.63 / Math.sqrt(plain.length));
	});
});

test("what cannot be a schedule is refused by name", () => {
	const good = { ratePerSecond: 10, seconds: 1, seed: 1 };
	const code = (expected: string) => ({ name: "CodedError", code: expected });
	assert.throws(() => poissonArrivals({ ...good, ratePerSecond: 0 }), code("BAD_RATE"));
	assert.throws(() => poissonArrivals({ ...good, ratePerSecond: Number.NaN }), code("BAD_RATE"));
	assert.throws(() => constantArrivals({ ...good, seconds: Number.POSITIVE_INFINITY }), code("BAD_SECONDS"));
	assert.throws(() => constantArrivals({ ...good, seconds: -1 }), code("BAD_SECONDS"));
	assert.throws(() => poissonArrivals({ ...good, ratePerSecond: 1e6, seconds: 21 }), code("TOO_MANY_ARRIVALS"));
	assert.throws(() => burstyArrivals(good, { periodMs: 0 }), code("BAD_BURST"));
	assert.throws(() => burstyArrivals(good, { onShare: 1.5 }), code("BAD_BURST"));
	assert.throws(() => poissonArrivals({ ...good, seed: 0.5 }), /seed must be an integer/);
});

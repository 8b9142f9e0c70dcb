import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { blockLength, correlationTime, nearestRank, percentileInterval, rateInterval } from "batching-lab/stats";
import { answersOf, latenciesOf, type Service } from "./queue.js";

const RUNS = 120;

/** Share of simulated runs whose 95 % interval holds the truth, and how many gave an interval at all. */
function coverage(truth: number, interval: (random: () => number) => { low: number; high: number } | null) {
	const random = seededRandom(7);
	let [given, holds] = [0, 0];
	for (let run = 0; run < RUNS; run++) {
		const found = interval(random);
		if (found === null) continue;
		given++;
		if (found.low <= truth && truth <= found.high) holds++;
	}
	return { given: given / RUNS, holds: holds / given };
}

/** The truth is the percentile of so long a queue that it stands for it. */
function ofPercentile(load: number, percent: number, count: number, service: Service, block?: number) {
	const long = latenciesOf(2_000_000, load, seededRandom(1), service).sort();
	const options = { replicates: 200, ...(block === undefined ? {} : { block }) };
	return coverage(long[nearestRank(long.length, percent) - 1] ?? 0, (random) =>
		percentileInterval(latenciesOf(count, load, random, service), percent, { random, ...options }),
	);
}

for (const [load, percent, count, service] of [
	[0.5, 50, 2000, "fixed"],
	[0.8, 50, 5000, "fixed"],
	[0.5, 50, 2000, "random"],
	[0.7, 50, 8000, "random"],
	[0.5, 99, 15_000, "fixed"],
	[0.5, 99, 30_000, "random"],
] as const) {
	test(`a 95 % interval for the p${percent} of ${count} requests of a queue holds the truth as stated: load ${load}, ${service} service`, () => {
		const { given, holds } = ofPercentile(load, percent, count, service);
		assert.ok(given > 0.9 && holds >= 0.89, `${holds} of ${given}`);
	});
}

test("runs that are nearly too short give an interval when they are calm only, and it holds less often: that is stated", () => {
	const { given, holds } = ofPercentile(0.5, 99, 15_000, "random");
	assert.ok(given < 0.4 && holds < 0.89 && holds >= 0.6, `${holds} of ${given}`);
});

test("single requests drawn as if they were independent hold it far less often: that is why blocks are drawn", () => {
	assert.ok(ofPercentile(0.8, 50, 5000, "fixed", 1).holds < 0.65);
});

for (const [load, count, least] of [
	[0.5, 2000, 0.9],
	[0.8, 5000, 0.9],
	[0.95, 4000, 0.8],
] as const) {
	test(`a 95 % interval for the answers a second of ${count} answers holds the truth as stated: load ${load}`, () => {
		const { given, holds } = coverage(load * 1000, (random) =>
			rateInterval(answersOf(count, load, random), { random, replicates: 200 }),
		);
		assert.ok(given > 0.9 && holds >= least, `${holds} of ${given}`);
	});
}

test("gaps drawn one by one hold it less often: answers of a busy queue come more regularly than its arrivals", () => {
	const { holds } = coverage(800, (random) =>
		rateInterval(answersOf(5000, 0.8, random), { random, replicates: 200, block: 1 }),
	);
	assert.ok(holds < 0.85, String(holds));
});

test("answers at a steady pace have no scatter, and their rate is their number over the time between them", () => {
	const moments = Float64Array.from({ length: 401 }, (_, i) => (i % 7 === 3 ? Number.NaN : i * 1e6)).reverse();
	const found = rateInterval(moments, { random: seededRandom(1) });
	assert.equal(found?.estimate, (1e9 * 343) / 400e6);
	const steady = rateInterval(
		Float64Array.from({ length: 401 }, (_, i) => i * 1e6),
		{ random: seededRandom(1) },
	);
	assert.deepEqual([steady?.low, steady?.estimate, steady?.high, steady?.block], [1000, 1000, 1000, 20]);
	assert.equal(rateInterval([1, 2, 3], { random: seededRandom(1) }), null);
});

test("a confidence is a share, not percent", () => {
	const series = Float64Array.from({ length: 1000 }, seededRandom(3));
	assert.throws(() => percentileInterval(series, 50, { random: seededRandom(1), confidence: 95 }), {
		code: "BAD_NUMBER",
		message: /between 0 and 1.*got 95/,
	});
});

test("a run too short for its percentile gets no interval", () => {
	const random = seededRandom(3);
	assert.equal(percentileInterval(latenciesOf(2000, 0.8, random), 99, { random }), null);
	assert.equal(percentileInterval([1, 2, 3], 50, { random }), null);
});

test("independent numbers have a correlation time of one, a repeated one as long as its repeats", () => {
	const random = seededRandom(5);
	const independent = Float64Array.from({ length: 20_000 }, random);
	assert.ok(Math.abs(correlationTime(independent) - 1) < 0.15);
	const repeated = Float64Array.from({ length: 20_000 }, (_, i) => independent[Math.floor(i / 10)] ?? 0);
	assert.ok(Math.abs(correlationTime(repeated) - 10) < 2.5);
	assert.equal(correlationTime([4, 4, 4]), 1);
});

test("a block is ten correlation times long, but never more than a tenth of the run", () => {
	assert.ok(blockLength(latenciesOf(20_000, 0.8, seededRandom(2))) > 200);
	assert.equal(blockLength(Float64Array.from({ length: 1000 }, (_, i) => i)), 100);
});

test("the same seed gives the same interval, and the estimate is the plain percentile", () => {
	const series = latenciesOf(20_000, 0.5, seededRandom(9));
	const one = percentileInterval(series, 99, { random: seededRandom(4) });
	assert.deepEqual(one, percentileInterval(series, 99, { random: seededRandom(4) }));
	assert.equal(one?.estimate, series.slice().sort()[nearestRank(20_000, 99) - 1]);
});

test("an unanswered request cannot take part", () => {
	const values = new Float64Array(1000).fill(1);
	values[500] = Number.NaN;
	assert.throws(() => percentileInterval(values, 50, { random: seededRandom(1) }), {
		code: "NOT_FINITE",
		message: /latency 500/,
	});
});

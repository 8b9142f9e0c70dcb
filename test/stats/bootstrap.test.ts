import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { blockLength, correlationTime, nearestRank, percentileInterval } from "batching-lab/stats";
import { latenciesOf } from "./queue.js";

/** The percentile of so long a queue that it stands for the truth. */
function truth(load: number, percent: number): number {
	const long = latenciesOf(2_000_000, load, seededRandom(1)).sort();
	return long[nearestRank(long.length, percent) - 1] ?? 0;
}

/** Share of simulated queues whose 95 % interval holds the truth, and how many gave an interval at all. */
function coverage(load: number, percent: number, count: number, block?: number) {
	const random = seededRandom(7);
	const expected = truth(load, percent);
	let given = 0;
	let holds = 0;
	for (let run = 0; run < 80; run++) {
		const options = { random, replicates: 150, ...(block === undefined ? {} : { block }) };
		const found = percentileInterval(latenciesOf(count, load, random), percent, options);
		if (found === null) continue;
		given++;
		if (found.low <= expected && expected <= found.high) holds++;
	}
	return { given, share: holds / given };
}

test("on a simulated queue the blocks hold the true median about as often as promised", () => {
	const { given, share } = coverage(0.8, 50, 5000);
	assert.ok(given >= 76 && share >= 0.88, `${share} of ${given}`);
});

test("on a simulated queue the blocks hold the true p99 about as often as promised", () => {
	const { given, share } = coverage(0.5, 99, 15_000);
	assert.ok(given >= 70 && share >= 0.85, `${share} of ${given}`);
});

test("single requests drawn as if they were independent hold it far less often: that is why blocks are drawn", () => {
	assert.ok(coverage(0.8, 50, 5000, 1).share < 0.65);
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

import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { rangeCoverage, roundsInterval } from "batching-lab/stats";

test("the range of five rounds holds the median in 93.75 % of experiments", () => {
	assert.equal(rangeCoverage(5), 0.9375);
	assert.equal(rangeCoverage(3), 0.75);
	assert.equal(rangeCoverage(1), 0);
	assert.deepEqual(roundsInterval([3, 1, 2]), { low: 1, high: 3, coverage: 0.75 });
});

test("the coverage is exact: every way in which rounds can fall around the median is counted", () => {
	for (let rounds = 1; rounds <= 10; rounds++) {
		let holds = 0;
		for (let sides = 0; sides < 2 ** rounds; sides++) if (sides !== 0 && sides !== 2 ** rounds - 1) holds++;
		assert.equal(rangeCoverage(rounds), holds / 2 ** rounds);
	}
});

test("rounds that scatter differently and lopsidedly around one median are held as often", () => {
	const random = seededRandom(5);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	let holds = 0;
	for (let experiment = 0; experiment < 20_000; experiment++) {
		const { low, high } = roundsInterval(Array.from({ length: 5 }, (_, i) => (Math.exp(normal()) - 1) * (i + 1)));
		if (low <= 0 && 0 <= high) holds++;
	}
	assert.ok(Math.abs(holds / 20_000 - 0.9375) < 0.005, String(holds / 20_000));
});

test("no rounds and no numbers are refused", () => {
	assert.throws(() => roundsInterval([]), { code: "NO_SAMPLES" });
	assert.throws(() => roundsInterval([1, Number.NaN]), { code: "NOT_FINITE" });
});

import assert from "node:assert/strict";
import { test } from "node:test";
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

test("no rounds and no numbers are refused", () => {
	assert.throws(() => roundsInterval([]), { code: "NO_SAMPLES" });
	assert.throws(() => roundsInterval([1, Number.NaN]), { code: "NOT_FINITE" });
});

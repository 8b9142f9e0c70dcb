import assert from "node:assert/strict";
import { test } from "node:test";
import { comparePaired, smallestP, toldApart } from "batching-lab/stats";
import fc from "fast-check";

test("five rounds of one sign are told apart", () => {
	assert.deepEqual(toldApart([-2.4, -3.3, -2.9, -2.6, -3]), {
		kind: "toldApart",
		direction: -1,
		agreeing: 5,
		rounds: 5,
		smallestP: 0.0625,
		words: "told apart in all 5 rounds",
	});
});

test("one round the other way, and they are not", () => {
	const verdict = toldApart([60, 55, 61, -6, 58]);
	assert.equal(verdict.kind, "notToldApart");
	assert.equal(verdict.words, "not told apart (4 of 5 rounds agree)");
	assert.equal(verdict.direction, 1);
});

test("a round without any difference agrees with nobody", () => {
	assert.equal(toldApart([1, 1, 0, 1, 1]).kind, "notToldApart");
	assert.deepEqual(toldApart([0, 0, 0, 0, 0]).direction, 0);
});

test("fewer than five rounds never give a verdict, only what was seen", () => {
	assert.equal(toldApart([1, 2, 3]).words, "seen in 3 of 3 rounds");
	assert.equal(toldApart([1, -2, 3]).words, "undecided (2 of 3 rounds agree)");
	assert.equal(toldApart([5]).words, "seen in 1 of 1 round");
	fc.assert(
		fc.property(
			fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 4 }),
			(list) => {
				assert.equal(toldApart(list).kind, "tooFewRounds");
			},
		),
	);
});

test("the smallest p of n rounds is what a coin gives for n equal faces, either way", () => {
	for (let rounds = 1; rounds <= 12; rounds++) {
		let equalFaces = 0;
		for (let flips = 0; flips < 2 ** rounds; flips++) if (flips === 0 || flips === 2 ** rounds - 1) equalFaces++;
		assert.equal(smallestP(rounds), equalFaces / 2 ** rounds);
	}
});

test("a comparison keeps every round's difference, their median and range", () => {
	const found = comparePaired([5, 5, 5, 5, 5], [2, 3, 1, 4, 2.5]);
	assert.deepEqual(found.differences, [-3, -2, -4, -1, -2.5]);
	assert.equal(found.median, -2.5);
	assert.deepEqual(found.interval, { low: -4, high: -1, coverage: 0.9375 });
});

test("turning a comparison round turns every difference and no verdict", () => {
	const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
	fc.assert(
		fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 9 }), (pairs) => {
			const left = pairs.map(([a]) => a);
			const right = pairs.map(([, b]) => b);
			const one = comparePaired(left, right).verdict;
			const other = comparePaired(right, left).verdict;
			assert.equal(one.kind, other.kind);
			assert.equal(one.direction + other.direction, 0);
			assert.equal(one.agreeing, other.agreeing);
		}),
	);
});

test("rounds that do not pair, and differences that are no numbers, are refused", () => {
	assert.throws(() => comparePaired([1, 2], [1]), { code: "UNPAIRED", message: /2 rounds against 1/ });
	assert.throws(() => toldApart([]), { code: "NO_SAMPLES" });
	assert.throws(() => toldApart([1, Number.NaN]), { code: "NOT_FINITE" });
});

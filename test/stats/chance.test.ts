import assert from "node:assert/strict";
import { test } from "node:test";
import { againstItself, binomialAtLeast } from "batching-lab/stats";
import fc from "fast-check";

test("binomial tails have their known values", () => {
	assert.ok(Math.abs(binomialAtLeast(5, 5, 0.5) - 1 / 32) < 1e-15);
	assert.ok(Math.abs(binomialAtLeast(8, 9, 0.5) - 10 / 512) < 1e-12);
	assert.equal(binomialAtLeast(0, 3, 0.2), 1);
	assert.equal(binomialAtLeast(4, 3, 0.2), 0);
	assert.equal(binomialAtLeast(1, 3, 0), 0);
	assert.equal(binomialAtLeast(3, 3, 1), 1);
});

test("a binomial tail is the sum over all outcomes", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 12 }),
			fc.integer({ min: 0, max: 12 }),
			fc.double({ min: 0.01, max: 0.99, noNaN: true }),
			(n, k, p) => {
				let sum = 0;
				for (let outcome = 0; outcome < 2 ** n; outcome++) {
					let ones = 0;
					for (let bit = 0; bit < n; bit++) ones += (outcome >> bit) & 1;
					if (ones >= k) sum += p ** ones * (1 - p) ** (n - ones);
				}
				assert.ok(Math.abs(binomialAtLeast(k, n, p) - sum) < 1e-9);
			},
		),
	);
});

test("a setting against itself: k of n stands beside what chance alone gives", () => {
	const found = againstItself([
		[1, 2, 3, 4, 5],
		[1, -2, 3, 4, 5],
		[-1, -1, -1, -1, -1],
		[0, 1, 1, 1, 1],
	]);
	assert.equal(found.unanimous, 2);
	assert.equal(found.comparisons, 4);
	assert.equal(found.expected, 0.25);
	assert.ok(Math.abs(found.p - binomialAtLeast(2, 4, 0.0625)) < 1e-15);
	assert.equal(found.words, "2 of 4 comparisons of a setting with itself (chance alone: 0.25)");
});

test("three rounds agree by chance in a quarter of comparisons, and the expected number says so", () => {
	assert.equal(
		againstItself([
			[1, 1, 1],
			[1, 1, -1],
			[1, 1, 1],
			[-1, 1, 1],
		]).expected,
		1,
	);
});

test("comparisons of different numbers of rounds each have their own chance: all ways are counted", () => {
	const shapes = [3, 4, 5, 5];
	for (let alike = 0; alike <= shapes.length; alike++) {
		const lists = shapes.map((rounds, i) =>
			Array.from({ length: rounds }, (_, round) => (i >= alike && round === 0 ? -1 : 1)),
		);
		let atLeast = 0;
		for (let outcome = 0; outcome < 2 ** shapes.length; outcome++) {
			const luck = shapes.map((rounds, i) => ((outcome >> i) & 1 ? 2 / 2 ** rounds : 1 - 2 / 2 ** rounds));
			const count = shapes.reduce((sum, _, i) => sum + ((outcome >> i) & 1), 0);
			if (count >= alike) atLeast += luck.reduce((product, chance) => product * chance, 1);
		}
		const found = againstItself(lists);
		assert.deepEqual([found.unanimous, found.rounds, found.expected], [alike, 3, 0.25 + 0.125 + 0.0625 + 0.0625]);
		assert.ok(Math.abs(found.p - atLeast) < 1e-12, `${alike}: ${found.p}, counted ${atLeast}`);
	}
});

test("nothing compared is nothing found", () => {
	assert.deepEqual(againstItself([]), {
		unanimous: 0,
		comparisons: 0,
		rounds: 0,
		expected: 0,
		p: 1,
		words: "0 of 0 comparisons of a setting with itself (chance alone: 0)",
	});
});

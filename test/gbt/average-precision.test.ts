import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { averagePrecision } from "batching-lab/model";
import fc from "fast-check";

/** The definition word by word: at each threshold from high to low, precision times the recall gained. */
function byDefinition(scores: readonly number[], labels: readonly number[]): number {
	const positives = labels.filter((label) => label === 1).length;
	let recallBefore = 0;
	let sum = 0;
	for (const threshold of [...new Set(scores)].sort((a, b) => b - a)) {
		const taken = labels.filter((_, row) => (scores[row] ?? 0) >= threshold);
		const hits = taken.filter((label) => label === 1).length;
		const recall = hits / positives;
		sum += (recall - recallBefore) * (hits / taken.length);
		recallBefore = recall;
	}
	return sum;
}

describe("averagePrecision", () => {
	it("is 1 when every positive comes first, and the base rate when all scores are equal", () => {
		assert.equal(averagePrecision([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0]), 1);
		assert.equal(averagePrecision([0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]), 0.25);
	});

	it("gives scikit-learn's documented example", () => {
		assert.equal(averagePrecision([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]).toFixed(2), "0.83");
	});

	it("is not a number without a positive label, and refuses unequal lengths", () => {
		assert.ok(Number.isNaN(averagePrecision([0.1, 0.2], [0, 0])));
		assert.throws(() => averagePrecision([0.1], [0, 1]), /1 scores for 2 labels/);
	});

	it("agrees with the definition, ties and all", () => {
		const row = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 1 }));
		fc.assert(
			fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
				const scores = rows.map(([score]) => score / 6);
				const labels = rows.map(([, label]) => label);
				fc.pre(labels.includes(1));
				assert.ok(Math.abs(averagePrecision(scores, labels) - byDefinition(scores, labels)) < 1e-12);
			}),
		);
	});
});

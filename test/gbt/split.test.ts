import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LabelledRows, trainGbt } from "batching-lab/model";
import fc from "fast-check";

const WIDTH = 3;

interface Cut {
	readonly gain: number;
	readonly left: string;
}

/** Which rows go left, as text, so that two cuts can be told equal whatever their threshold. */
function leftRows({ rows, features }: LabelledRows, feature: number, threshold: number): string {
	return Array.from({ length: rows }, (_, row) =>
		(features[row * WIDTH + feature] ?? 0) <= threshold ? "L" : "R",
	).join("");
}

/** Every cut between any two values of any feature, without bins, histograms or running sums. */
function allCuts(data: LabelledRows, l2: number, minLeafRows: number): Cut[] {
	const rate = data.labels.reduce((sum, label) => sum + label, 0) / data.rows;
	const p = 1 / (1 + Math.exp(-Math.fround(Math.log(rate / (1 - rate)))));
	const worth = (labels: readonly number[]) => {
		const gradient = labels.reduce((sum, label) => sum + p - label, 0);
		return gradient ** 2 / (labels.length * p * (1 - p) + l2);
	};
	const cuts: Cut[] = [];
	for (let feature = 0; feature < WIDTH; feature++) {
		for (const threshold of new Set(data.features.filter((_, index) => index % WIDTH === feature))) {
			const left = leftRows(data, feature, threshold);
			const labels = [...data.labels];
			const ofLeft = labels.filter((_, row) => left[row] === "L");
			const ofRight = labels.filter((_, row) => left[row] === "R");
			if (Math.min(ofLeft.length, ofRight.length) < minLeafRows) continue;
			cuts.push({ gain: worth(ofLeft) + worth(ofRight) - worth(labels), left });
		}
	}
	return cuts;
}

describe("the first cut of a tree", () => {
	it("is the best of all cuts that leave enough rows on both sides", async () => {
		const aRow = fc.tuple(
			fc.array(fc.integer({ min: -4, max: 4 }), { minLength: WIDTH, maxLength: WIDTH }),
			fc.boolean(),
		);
		const books = fc.record({
			rows: fc.array(aRow, { minLength: 4, maxLength: 30 }),
			l2: fc.constantFrom(0.5, 1, 20),
			minLeafRows: fc.integer({ min: 1, max: 4 }),
		});
		let cut = 0;
		await fc.assert(
			fc.asyncProperty(books, async ({ rows, l2, minLeafRows }) => {
				const data: LabelledRows = {
					rows: rows.length,
					features: Float32Array.from(rows.flatMap(([values]) => values)),
					labels: Uint8Array.from(rows, ([, label]) => Number(label)),
				};
				fc.pre(data.labels.includes(0) && data.labels.includes(1));
				const model = await trainGbt({ fit: data, heldOut: data }, { maxLeaves: 2, maxTrees: 1, l2, minLeafRows });
				const [tree] = model.trees;
				const cuts = allCuts(data, l2, minLeafRows);
				const best = Math.max(0, ...cuts.map(({ gain }) => gain));
				if (tree === undefined || tree.feature[0] === -1) {
					assert.ok(best < 1e-8, `no cut was made, the best one gains ${best}`);
					return;
				}
				cut++;
				const made = leftRows(data, tree.feature[0] ?? 0, tree.threshold[0] ?? 0);
				const gain = cuts.find(({ left }) => left === made)?.gain ?? Number.NaN;
				assert.ok(Math.abs(gain - best) < 1e-8, `the cut made gains ${gain}, the best one ${best}`);
			}),
		);
		assert.ok(cut > 20, "most of the cases have a cut to find");
	});
});

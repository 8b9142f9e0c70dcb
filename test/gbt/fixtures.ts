import { seededRandom } from "batching-lab/base";
import type { BoostedTrees, LabelledRows } from "batching-lab/model";
import { makeFeatures, type Split, syntheticShop } from "batching-lab/shop";

/** Rows of the default synthetic shop, as a trainer takes them. */
export function shopRows(): (split: Split) => LabelledRows {
	const made = makeFeatures(syntheticShop().invoices);
	return (split) => {
		const rows = made.filter((row) => row.split === split);
		return {
			rows: rows.length,
			features: Float32Array.from(rows.flatMap(({ features }) => features)),
			labels: Uint8Array.from(rows, ({ label }) => label),
		};
	};
}

/** Two features, label = (x > 0.5) differs from (y > 0.5), with some labels turned: no single cut helps, two do. */
export function chequered(rows: number, seed: number, noise = 0.1): LabelledRows {
	const random = seededRandom(seed);
	const features = Float32Array.from({ length: rows * 2 }, random);
	const labels = Uint8Array.from({ length: rows }, (_, row) => {
		const differs = (features[2 * row] ?? 0) > 0.5 !== (features[2 * row + 1] ?? 0) > 0.5;
		return Number(random() < noise ? !differs : differs);
	});
	return { rows, features, labels };
}

export function leafCount(feature: Int32Array): number {
	return feature.filter((index) => index < 0).length;
}

/** One split on feature 0 at 1.5: left −1, right +2. */
export const stump: BoostedTrees = {
	width: 2,
	baseMargin: 0.25,
	trees: [
		{
			feature: Int32Array.of(0, -1, -1),
			threshold: Float32Array.of(1.5, 0, 0),
			left: Int32Array.of(1, 0, 0),
			right: Int32Array.of(2, 0, 0),
			value: Float32Array.of(0, -1, 2),
		},
	],
};

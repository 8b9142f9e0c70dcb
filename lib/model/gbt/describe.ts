import { averagePrecision } from "./average-precision.js";
import { scoreGbt } from "./score.js";
import type { BoostedTrees, LabelledRows } from "./types.js";

/** What a model of this workbook is, for its record. */
export interface GbtDescription {
	readonly trees: number;
	/** Leaves of all trees together. */
	readonly leaves: number;
	/** Leaves of the largest tree. */
	readonly maxLeaves: number;
	readonly features: number;
	/** Average precision of this model on its own test rows. */
	readonly testAveragePrecision: number;
}

/**
 * The model that the lesson measured: another implementation, other features, the real shop. Shown beside this
 * workbook's own figures, never mixed into them and never a target of any measurement.
 */
export const LESSON_GBT = {
	averagePrecision: 0.545,
	trees: 54,
	maxLeaves: 31,
	features: 6,
	testRows: 26_851,
	source: "the lesson's own model, as its text states it (test AP 0.5450)",
} as const;

function leavesOf(feature: Int32Array): number {
	return feature.reduce((count, index) => (index < 0 ? count + 1 : count), 0);
}

/** Counts and judges a model on rows that it has not been trained on. */
export function describeGbt(model: BoostedTrees, test: LabelledRows): GbtDescription {
	const leaves = model.trees.map(({ feature }) => leavesOf(feature));
	return {
		trees: leaves.length,
		leaves: leaves.reduce((sum, count) => sum + count, 0),
		maxLeaves: Math.max(0, ...leaves),
		features: model.width,
		testAveragePrecision: averagePrecision(scoreGbt(model, test.features), test.labels),
	};
}

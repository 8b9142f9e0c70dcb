import type { BinnedRows } from "./bins.js";
import { BIN_ROOM, type Histogram } from "./histogram.js";

/** Where a node would be cut: rows with a bin up to `bin` go left. */
export interface SplitPoint {
	readonly feature: number;
	readonly bin: number;
	/** How much the cut lowers the loss (second-order, times 2); above 0. */
	readonly gain: number;
}

export interface SplitRules {
	readonly l2: number;
	readonly minLeafRows: number;
}

/** Gradient, hessian and number of the rows of a node. */
export interface NodeSums {
	readonly gradient: number;
	readonly hessian: number;
	readonly count: number;
}

/** G² / (H + λ): what a leaf with the best value takes off the loss, times 2 (Chen and Guestrin, KDD 2016, eq. 6). */
function worth(gradient: number, hessian: number, l2: number): number {
	return (gradient * gradient) / (hessian + l2);
}

/** The leaf's best value −G / (H + λ) (ibid., eq. 5). */
export function leafValue({ gradient, hessian }: NodeSums, l2: number): number {
	return -gradient / (hessian + l2);
}

/** Below this a gain is rounding noise of the sums. */
const MIN_GAIN = 1e-9;

/** The best cut of a node, or undefined where none helps. Ties go to the lower feature, then the lower bin. */
export function bestSplit(
	data: BinnedRows,
	histogram: Histogram,
	sums: NodeSums,
	{ l2, minLeafRows }: SplitRules,
): SplitPoint | undefined {
	const unsplit = worth(sums.gradient, sums.hessian, l2);
	let best: SplitPoint | undefined;
	for (const [feature, thresholds] of data.thresholds.entries()) {
		let gradient = 0;
		let hessian = 0;
		let count = 0;
		for (let bin = 0; bin < thresholds.length; bin++) {
			const slot = feature * BIN_ROOM + bin;
			gradient += histogram.gradient[slot] ?? 0;
			hessian += histogram.hessian[slot] ?? 0;
			count += histogram.count[slot] ?? 0;
			if (count < minLeafRows) continue;
			if (sums.count - count < minLeafRows) break;
			const parted = worth(gradient, hessian, l2) + worth(sums.gradient - gradient, sums.hessian - hessian, l2);
			const gain = parted - unsplit;
			if (gain > (best?.gain ?? MIN_GAIN)) best = { feature, bin, gain };
		}
	}
	return best;
}

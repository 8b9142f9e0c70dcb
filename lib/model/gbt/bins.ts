import type { LabelledRows } from "./types.js";

/**
 * Features cut into at most 255 bins, once, so that the search for a split looks at bins and not at rows
 * (the histogram method of LightGBM, Ke et al., NIPS 2017).
 */
export interface BinnedRows {
	readonly rows: number;
	readonly width: number;
	/** Bin of every value, one column a feature: feature × rows + row. */
	readonly bins: Uint8Array;
	/** Per feature, rising: bin b holds the values v with thresholds[b − 1] < v <= thresholds[b]. */
	readonly thresholds: readonly Float32Array[];
}

/** A float32 number t with low <= t < high, so that `x <= t` parts the two whatever the rounding. */
function between(low: number, high: number): number {
	const middle = Math.fround(low + (high - low) / 2);
	return middle < high ? middle : low;
}

/** Cuts between distinct values where there are few of them, at equal shares of the rows where there are many. */
function cutPoints(column: Float32Array, maxBins: number): Float32Array {
	const sorted = column.slice().sort();
	const distinct: number[] = [];
	const endsAt: number[] = [];
	for (const [index, value] of sorted.entries()) {
		if (distinct.at(-1) !== value) distinct.push(value);
		endsAt[distinct.length - 1] = index + 1;
	}
	const cuts: number[] = [];
	let share = 1;
	for (let index = 0; index + 1 < distinct.length; index++) {
		const low = distinct[index] ?? 0;
		const high = distinct[index + 1] ?? 0;
		const covered = (endsAt[index] ?? 0) / sorted.length;
		if (distinct.length > maxBins && covered < share / maxBins) continue;
		cuts.push(between(low, high));
		// One heavy value may cover several shares; they become one bin.
		share = Math.max(share + 1, Math.floor(covered * maxBins) + 1);
	}
	return Float32Array.from(cuts);
}

function binOf(value: number, thresholds: Float32Array): number {
	let low = 0;
	let high = thresholds.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (value <= (thresholds[middle] ?? Number.POSITIVE_INFINITY)) high = middle;
		else low = middle + 1;
	}
	return low;
}

export function binRows({ rows, features }: LabelledRows, width: number, maxBins: number): BinnedRows {
	const bins = new Uint8Array(rows * width);
	const thresholds: Float32Array[] = [];
	const column = new Float32Array(rows);
	for (let feature = 0; feature < width; feature++) {
		for (let row = 0; row < rows; row++) column[row] = features[row * width + feature] ?? 0;
		const cuts = cutPoints(column, maxBins);
		thresholds.push(cuts);
		for (let row = 0; row < rows; row++) bins[feature * rows + row] = binOf(column[row] ?? 0, cuts);
	}
	return { rows, width, bins, thresholds };
}

import type { BinnedRows } from "./bins.js";

/** Bins a feature has room for; a bin index fits a byte. */
export const BIN_ROOM = 256;

/** Sums over the rows of one node, per feature and bin: index feature × 256 + bin. */
export interface Histogram {
	readonly gradient: Float64Array;
	readonly hessian: Float64Array;
	readonly count: Uint32Array;
}

/** First and second derivative of the log loss by the margin, one entry a row. */
export interface Derivatives {
	readonly gradient: Float64Array;
	readonly hessian: Float64Array;
}

function emptyHistogram(width: number): Histogram {
	const size = width * BIN_ROOM;
	return { gradient: new Float64Array(size), hessian: new Float64Array(size), count: new Uint32Array(size) };
}

export function histogramOf(data: BinnedRows, rowIds: Uint32Array, { gradient, hessian }: Derivatives): Histogram {
	const sums = emptyHistogram(data.width);
	for (let feature = 0; feature < data.width; feature++) {
		const column = data.bins.subarray(feature * data.rows, (feature + 1) * data.rows);
		const base = feature * BIN_ROOM;
		for (let index = 0; index < rowIds.length; index++) {
			const row = rowIds[index] ?? 0;
			const slot = base + (column[row] ?? 0);
			sums.gradient[slot] = (sums.gradient[slot] ?? 0) + (gradient[row] ?? 0);
			sums.hessian[slot] = (sums.hessian[slot] ?? 0) + (hessian[row] ?? 0);
			sums.count[slot] = (sums.count[slot] ?? 0) + 1;
		}
	}
	return sums;
}

/** What is left of a node when one child is taken away: half of all histograms need no look at the rows. */
export function subtract(whole: Histogram, part: Histogram, width: number): Histogram {
	const rest = emptyHistogram(width);
	for (let slot = 0; slot < rest.count.length; slot++) {
		rest.gradient[slot] = (whole.gradient[slot] ?? 0) - (part.gradient[slot] ?? 0);
		rest.hessian[slot] = (whole.hessian[slot] ?? 0) - (part.hessian[slot] ?? 0);
		rest.count[slot] = (whole.count[slot] ?? 0) - (part.count[slot] ?? 0);
	}
	return rest;
}

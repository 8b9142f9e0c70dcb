import { StatsError } from "./errors.js";
import { minimumSamples, nearestRank } from "./percentile.js";

/** Each bin is 0.1 % wider than its lower edge; its geometric middle is within 0.05 % of every value in it. */
export const BIN_RATIO = 1.001;
const LOG_RATIO = Math.log(BIN_RATIO);

/** What is kept of many samples when they are not kept themselves. Bin i holds [1.001^i, 1.001^(i+1)); bin −1 [0, 1). */
export interface Histogram {
	/** Ascending, only bins that hold something. */
	readonly bins: Int32Array;
	readonly counts: Uint32Array;
	readonly count: number;
	readonly sum: number;
	/** Exact; NaN when empty. */
	readonly min: number;
	readonly max: number;
}

function binOf(value: number): number {
	return value < 1 ? -1 : Math.floor(Math.log(value) / LOG_RATIO);
}

/** The value that stands for a bin: the geometric middle of its edges (0 for bin −1). */
export function binValue(bin: number): number {
	return bin < 0 ? 0 : Math.exp((bin + 0.5) * LOG_RATIO);
}

function fromMap(byBin: ReadonlyMap<number, number>, count: number, sum: number, min: number, max: number): Histogram {
	const bins = Int32Array.from(byBin.keys()).sort();
	return { bins, counts: Uint32Array.from(bins, (bin) => byBin.get(bin) ?? 0), count, sum, min, max };
}

/** @throws {StatsError} `NOT_FINITE` for a sample that is negative or no finite number. */
export function histogramOf(samples: ArrayLike<number>): Histogram {
	const byBin = new Map<number, number>();
	let sum = 0;
	let min = Number.NaN;
	let max = Number.NaN;
	for (let i = 0; i < samples.length; i++) {
		const value = samples[i] ?? Number.NaN;
		if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
			throw new StatsError("NOT_FINITE", `sample ${i} is ${value}; a histogram holds finite numbers from 0 on`);
		}
		const bin = binOf(value);
		byBin.set(bin, (byBin.get(bin) ?? 0) + 1);
		sum += value;
		if (!(value >= min)) min = value;
		if (!(value <= max)) max = value;
	}
	return fromMap(byBin, samples.length, sum, min, max);
}

/** One histogram of all samples of several. */
export function mergeHistograms(parts: readonly Histogram[]): Histogram {
	const byBin = new Map<number, number>();
	for (const { bins, counts } of parts) {
		bins.forEach((bin, i) => void byBin.set(bin, (byBin.get(bin) ?? 0) + (counts[i] ?? 0)));
	}
	const full = parts.filter(({ count }) => count > 0);
	const total = (pick: (part: Histogram) => number) => full.reduce((sum, part) => sum + pick(part), 0);
	const min = full.length === 0 ? Number.NaN : Math.min(...full.map((part) => part.min));
	const max = full.length === 0 ? Number.NaN : Math.max(...full.map((part) => part.max));
	return fromMap(
		byBin,
		total((part) => part.count),
		total((part) => part.sum),
		min,
		max,
	);
}

/** As `percentile`, within 0.05 % of the exact one; null when there are too few samples. */
export function histogramPercentile(histogram: Histogram, percent: number): number | null {
	if (histogram.count < minimumSamples(percent)) return null;
	let left = nearestRank(histogram.count, percent);
	for (let i = 0; i < histogram.bins.length; i++) {
		left -= histogram.counts[i] ?? 0;
		if (left <= 0) return Math.min(histogram.max, Math.max(histogram.min, binValue(histogram.bins[i] ?? 0)));
	}
	throw new StatsError("BAD_HISTOGRAM", `the bins hold fewer samples than the ${histogram.count} the histogram states`);
}

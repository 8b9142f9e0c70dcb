import { StatsError } from "./errors.js";

declare const sorted: unique symbol;

/** Finite numbers in ascending order. Only {@link sortSamples} makes one, so no function here sorts or checks again. */
export type SortedSamples = Float64Array & { readonly [sorted]: true };

function isSorted(values: Float64Array): values is SortedSamples {
	for (let i = 1; i < values.length; i++) if ((values[i - 1] ?? Number.NaN) > (values[i] ?? Number.NaN)) return false;
	return true;
}

/**
 * A sorted copy of `values`.
 *
 * @throws {StatsError} `NOT_FINITE` naming the first value that is not a finite number: a latency that is missing
 *   must be counted as missing before this point, it cannot take part in an order.
 */
export function sortSamples(values: ArrayLike<number>): SortedSamples {
	const copy = Float64Array.from(values);
	const bad = copy.findIndex((value) => !Number.isFinite(value));
	if (bad >= 0)
		throw new StatsError("NOT_FINITE", `sample ${bad} is ${copy[bad]}; every sample must be a finite number`);
	copy.sort();
	if (!isSorted(copy)) throw new StatsError("NOT_FINITE", "samples could not be put in order");
	return copy;
}

function requirePercent(percent: number): void {
	if (!(percent > 0 && percent < 100)) {
		throw new StatsError("BAD_PERCENTILE", `a percentile lies between 0 and 100, both excluded, got ${percent}`);
	}
}

/**
 * The rank (1 = smallest) of the `percent`-th percentile of `count` samples: the nearest rank, ⌈percent × count / 100⌉.
 * Percents are taken to six decimals so that the product is exact: 99.9 % of 1,000 is rank 999, not 1,000.
 */
export function nearestRank(count: number, percent: number): number {
	requirePercent(percent);
	return Math.max(1, Math.ceil((Math.round(percent * 1e6) * count) / 1e8));
}

/**
 * How many samples a percentile needs before it is reported: the fewest with which a distribution-free 95 % interval
 * for it exists at all, that is, with which the largest of n independent samples lies above the true percentile with
 * probability 97.5 % (pⁿ ≤ 0.025) and the smallest below it likewise. p50: 6, p90: 36, p95: 72, p98: 183, p99: 368,
 * p99.9: 3,688. With fewer, the "percentile" is only the largest sample under another name. It is the least: latencies
 * of one queue are not independent, and how well a run knows its percentile is what `percentileInterval` says.
 */
export function minimumSamples(percent: number): number {
	requirePercent(percent);
	const outer = Math.max(percent, 100 - percent) / 100;
	return Math.ceil(Math.log(0.025) / Math.log(outer));
}

/**
 * The exact `percent`-th percentile by nearest rank: the smallest sample that is at least as large as `percent` % of
 * all samples. No interpolation, so it is always a latency that some request really had.
 *
 * @returns null when there are fewer than {@link minimumSamples} samples: say "too few samples", not a number.
 * @example percentile(sortSamples(latenciesNs), 99)
 */
export function percentile(samples: SortedSamples, percent: number): number | null {
	if (samples.length < minimumSamples(percent)) return null;
	return samples[nearestRank(samples.length, percent) - 1] ?? null;
}

/** The middle value, or the mean of the two middle ones. For medians over rounds, where few values are all there is.
 * @throws {StatsError} `NO_SAMPLES` for an empty list, `NOT_FINITE` as {@link sortSamples}. */
export function median(values: ArrayLike<number>): number {
	const samples = sortSamples(values);
	const upper = samples[samples.length >> 1];
	const lower = samples[(samples.length - 1) >> 1];
	if (upper === undefined || lower === undefined)
		throw new StatsError("NO_SAMPLES", "a median needs at least one value");
	return lower === upper ? lower : (lower + upper) / 2;
}

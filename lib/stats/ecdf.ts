import { nearestRank, type SortedSamples } from "./percentile.js";

/** One point of an empirical distribution: `share` of all samples are at most `value`. */
export interface EcdfPoint {
	readonly value: number;
	readonly share: number;
}

/** Shares that a chart of latencies needs: even in the middle, dense towards the slow end (to 99.99 %). */
function shares(points: number): number[] {
	const half = Math.max(2, Math.floor(points / 2));
	const body = Array.from({ length: half }, (_, i) => (0.9 * (i + 1)) / half);
	const tail = Array.from({ length: half }, (_, i) => 1 - 0.1 * 10 ** ((-3 * (i + 1)) / half));
	return [...body, ...tail];
}

/** The empirical distribution thinned to about `points` nearest-rank points; the largest sample is always the last. */
export function ecdf(samples: SortedSamples, points = 120): EcdfPoint[] {
	const last = samples[samples.length - 1];
	const first = samples[0];
	if (last === undefined || first === undefined) return [];
	const ranks = new Set(shares(points).map((share) => nearestRank(samples.length, share * 100)));
	ranks.add(1).add(samples.length);
	return [...ranks]
		.sort((a, b) => a - b)
		.map((rank) => ({ value: samples[rank - 1] ?? Number.NaN, share: rank / samples.length }));
}

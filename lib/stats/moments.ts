import { requireNumber } from "./errors.js";
import { nearestRank, sortSamples } from "./percentile.js";
import { countUpTo } from "./queueing.js";
import type { Traffic } from "./throughput.js";

export interface SlowMoments {
	/** How many requests are slower than the percentile: about one in a hundred. */
	readonly count: number;
	/** In how many stretches of time they were due. */
	readonly moments: number;
}

/**
 * The slowest requests and in how many moments they came. A run of a second has a few dozen of them; where all were due
 * in one moment, its p99 is the length of one stumble and not a habit of the service.
 *
 * @param gapNs so long without a slow request parts two moments. @default 50 ms
 */
export function slowMoments(
	scheduledNs: ArrayLike<number>,
	latencyNs: ArrayLike<number>,
	{ slowestShare = 0.01, gapNs = 50e6 }: { readonly slowestShare?: number; readonly gapNs?: number } = {},
): SlowMoments {
	requireNumber("gapNs", gapNs, 0);
	const answered = sortSamples(Float64Array.from(latencyNs).filter((latency) => !Number.isNaN(latency)));
	if (answered.length === 0) return { count: 0, moments: 0 };
	const limit = answered[nearestRank(answered.length, 100 * (1 - slowestShare)) - 1] ?? Number.NaN;
	const slow = Float64Array.from(scheduledNs)
		.filter((_, i) => (latencyNs[i] ?? Number.NaN) > limit)
		.sort();
	const parted = slow.filter((at, i) => i === 0 || at - (slow[i - 1] ?? Number.NaN) > gapNs);
	return { count: slow.length, moments: parted.length };
}

export interface SpeedOverRun {
	/** Answers a second in the first and in the last fifth of the arrival window. */
	readonly firstPerSecond: number;
	readonly lastPerSecond: number;
	/** Requests due and not answered when the arrivals ended. */
	readonly waitingAtEnd: number;
}

/** Is the service as fast at the end of the arrivals as at their beginning? A fresh one may still be warming up. */
export function speedOverRun({ scheduledNs, receivedNs, horizonNs }: Traffic): SpeedOverRun {
	requireNumber("horizonNs", horizonNs, 1);
	const answers = Float64Array.from(receivedNs)
		.filter((at) => !Number.isNaN(at))
		.sort();
	const perSecond = (count: number) => count / (horizonNs / 5e9);
	const inTime = countUpTo(answers, horizonNs);
	return {
		firstPerSecond: perSecond(countUpTo(answers, horizonNs / 5)),
		lastPerSecond: perSecond(inTime - countUpTo(answers, (4 * horizonNs) / 5)),
		waitingAtEnd: scheduledNs.length - inTime,
	};
}

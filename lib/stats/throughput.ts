import { requireNumber } from "./errors.js";
import { median } from "./percentile.js";

/**
 * "Keeps up": answers at least this share as fast as requests arrive. So up to 5 % of a run may still pile up: simulated
 * queues keep up by this rule in nearly all runs at a load of 0.95, in 76–100 % at a load of 1, in 35–47 % at 1.05.
 */
export const KEEPS_UP_SHARE = 0.95;

/** When requests were due and when their answers came, ns on one clock; NaN in `receivedNs` = never answered. */
export interface Traffic {
	/** Ascending. */
	readonly scheduledNs: ArrayLike<number>;
	readonly receivedNs: ArrayLike<number>;
	/** How long arrivals were scheduled for, ns from 0. */
	readonly horizonNs: number;
}

export interface Rates {
	readonly scheduled: number;
	readonly answered: number;
	/** scheduled / horizon */
	readonly offeredPerSecond: number;
	/** answered / (the horizon, or the last answer where that came later) */
	readonly answeredPerSecond: number;
	readonly keepsUp: boolean;
}

/** Whether a service that answers `answeredPerSecond` keeps up with `offeredPerSecond`. Nothing offered is kept up with. */
export function keepsUp(answeredPerSecond: number, offeredPerSecond: number, share = KEEPS_UP_SHARE): boolean {
	return answeredPerSecond >= share * offeredPerSecond;
}

/**
 * Offered and answered requests a second of an open-loop run. The clock of the answers runs on while the queue drains:
 * a service that was offered 8 s of work and needed 20 s for it answered 2.5 times slower than it was asked.
 */
export function rates({ scheduledNs, receivedNs, horizonNs }: Traffic): Rates {
	requireNumber("horizonNs", horizonNs, 1);
	let answered = 0;
	let endNs = horizonNs;
	for (let i = 0; i < receivedNs.length; i++) {
		const at = receivedNs[i] ?? Number.NaN;
		if (Number.isNaN(at)) continue;
		answered++;
		if (at > endNs) endNs = at;
	}
	const offeredPerSecond = (scheduledNs.length / horizonNs) * 1e9;
	const answeredPerSecond = (answered / endNs) * 1e9;
	return {
		scheduled: scheduledNs.length,
		answered,
		offeredPerSecond,
		answeredPerSecond,
		keepsUp: keepsUp(answeredPerSecond, offeredPerSecond),
	};
}

/**
 * How many requests were due but not answered, averaged over each of `slices` equal parts of the arrival window: the
 * queue as it really was, the request being served included.
 */
export function queueBySlice({ scheduledNs, receivedNs, horizonNs }: Traffic, slices: number): number[] {
	requireNumber("horizonNs", horizonNs, 1);
	const widthNs = horizonNs / slices;
	const areaNs = new Array<number>(slices).fill(0);
	for (let i = 0; i < scheduledNs.length; i++) {
		const fromNs = Math.max(0, scheduledNs[i] ?? Number.NaN);
		const received = receivedNs[i] ?? Number.NaN;
		const toNs = Number.isNaN(received) ? horizonNs : Math.min(horizonNs, received);
		for (let slice = Math.floor(fromNs / widthNs); slice < slices && slice * widthNs < toNs; slice++) {
			const overlapNs = Math.min(toNs, (slice + 1) * widthNs) - Math.max(fromNs, slice * widthNs);
			areaNs[slice] = (areaNs[slice] ?? 0) + Math.max(0, overlapNs);
		}
	}
	return areaNs.map((area) => area / widthNs);
}

export interface QueueTrend {
	/** True: the queue still grew when the arrivals ended, so every latency of this run depends on how long it ran. */
	readonly growing: boolean;
	/** Requests in the system, averaged over each tenth of the arrival window. */
	readonly slices: readonly number[];
	/** Kendall's τ of the tenths against time; 1 = every tenth longer than all before it. */
	readonly tau: number;
	/** Mean of the last three tenths over mean of the first three. */
	readonly growth: number;
}

/** Kendall's τ of a series against its order: (rising pairs − falling pairs) / all pairs. */
export function kendallTau(series: readonly number[]): number {
	let score = 0;
	for (let later = 1; later < series.length; later++) {
		for (let earlier = 0; earlier < later; earlier++) {
			score += Math.sign((series[later] ?? Number.NaN) - (series[earlier] ?? Number.NaN));
		}
	}
	return series.length < 2 ? 0 : score / ((series.length * (series.length - 1)) / 2);
}

/** 27 of 45: chance gives ten independent tenths such a rise in 0.83 % of runs (Kendall's exact distribution). */
const RISING_TAU = 27 / 45;

/**
 * Is the queue still growing? Ten tenths of the arrival window must rise (Mann–Kendall, one-sided p = 0.0083) *and*
 * the last three hold more than twice the first three. "Keeps up" alone misses a queue that grows by 4 % of the
 * arrivals; its latency is no stable number either.
 *
 * Tenths of one queue are not independent, the less so the nearer it is to what it can do. On simulated queues of 1,000
 * to 10,000 requests (one server, Poisson arrivals, fixed or random service times) it called so many growing: at a load
 * of 0.8 or less up to 1 %, 0.9 up to 9 %, 0.95 up to 17 %, 1 about 40 %, 1.05 66–100 %, from 1.1 on 89–100 %; the
 * larger numbers below 1 and the smaller ones above it are those of short runs. So a latency is rather called unstable
 * too often than too seldom.
 */
export function queueTrend(traffic: Traffic): QueueTrend {
	const slices = queueBySlice(traffic, 10);
	const tau = kendallTau(slices);
	const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
	const first = sum(slices.slice(0, 3));
	const last = sum(slices.slice(7));
	const growth = first === 0 ? (last === 0 ? 1 : Number.POSITIVE_INFINITY) : last / first;
	return { growing: tau >= RISING_TAU - 1e-12 && growth > 2, slices, tau, growth };
}

/** A rate over rounds: the middle round, and the range of all. */
export function overRounds(values: readonly number[]): {
	readonly median: number;
	readonly min: number;
	readonly max: number;
} {
	return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

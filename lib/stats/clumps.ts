import { requireNumber, StatsError } from "./errors.js";
import { nearestRank, sortSamples } from "./percentile.js";

export interface ClumpOptions {
	/** How far back arrivals are counted. @default 3 ms, the lesson's window */
	readonly windowNs?: number;
	/** Which part of the requests counts as the slowest. @default 0.01 */
	readonly slowestShare?: number;
}

export interface Clumps {
	/** Mean number of other requests that arrived within the window before a request, over all requests. */
	readonly all: number;
	/** The same over the slowest share. Larger: the slow ones came in clumps. */
	readonly slowest: number;
	readonly slowestCount: number;
}

/** For each request of an ascending list: how many others arrived in the `windowNs` before it (both ends included). */
export function arrivalsBefore(scheduledNs: ArrayLike<number>, windowNs: number): Float64Array {
	requireNumber("windowNs", windowNs, 0);
	const counts = new Float64Array(scheduledNs.length);
	let first = 0;
	for (let i = 0; i < scheduledNs.length; i++) {
		const at = scheduledNs[i] ?? Number.NaN;
		if (i > 0 && at < (scheduledNs[i - 1] ?? Number.NaN)) {
			throw new StatsError("NOT_SORTED", `arrival ${i} is due before arrival ${i - 1}; give arrivals in order`);
		}
		while ((scheduledNs[first] ?? Number.NaN) < at - windowNs) first++;
		counts[i] = i - first;
	}
	return counts;
}

/**
 * Did the slowest requests arrive in clumps? Compares the arrivals shortly before them with those before any request.
 * It fits an explanation or contradicts it; it does not prove one. NaN latencies (no answer) are left out.
 */
export function clumps(
	scheduledNs: ArrayLike<number>,
	latencyNs: ArrayLike<number>,
	options: ClumpOptions = {},
): Clumps {
	const { windowNs = 3e6, slowestShare = 0.01 } = options;
	const before = arrivalsBefore(scheduledNs, windowNs);
	const answered = sortSamples(Float64Array.from(latencyNs).filter((latency) => !Number.isNaN(latency)));
	if (answered.length === 0) throw new StatsError("NO_SAMPLES", "no request was answered, so none was slow");
	const limit = answered[nearestRank(answered.length, 100 * (1 - slowestShare)) - 1] ?? Number.NaN;
	let all = 0;
	let slow = 0;
	let slowestCount = 0;
	for (let i = 0; i < before.length; i++) {
		const latency = latencyNs[i] ?? Number.NaN;
		if (Number.isNaN(latency)) continue;
		all += before[i] ?? Number.NaN;
		if (latency <= limit) continue;
		slow += before[i] ?? Number.NaN;
		slowestCount++;
	}
	return { all: all / answered.length, slowest: slowestCount === 0 ? Number.NaN : slow / slowestCount, slowestCount };
}

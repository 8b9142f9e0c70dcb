import { requireNumber } from "./errors.js";
import type { Traffic } from "./throughput.js";

/**
 * Little's law, L = λ × W: with `ratePerSecond` arrivals that stay `meanMs` on average, so many are inside at once.
 * Holds for any queue that does not grow, whatever its distribution (Little, 1961).
 */
export function littlesLaw(ratePerSecond: number, meanMs: number): number {
	requireNumber("ratePerSecond", ratePerSecond, 0);
	requireNumber("meanMs", meanMs, 0);
	return (ratePerSecond * meanMs) / 1000;
}

/** Share of a core that `ratePerSecond` answers of `busyUs` each keep busy; above 1 the queue grows without end. */
export function utilisation(ratePerSecond: number, busyUs: number): number {
	requireNumber("ratePerSecond", ratePerSecond, 0);
	requireNumber("busyUs", busyUs, 0);
	return (ratePerSecond * busyUs) / 1e6;
}

/**
 * Requests inside the service at each of `atNs`: due and not answered yet. Counted moment by moment, so it can be held
 * against Little's law, which goes by averages of rates and times.
 */
export function inSystemAt({ scheduledNs, receivedNs }: Omit<Traffic, "horizonNs">, atNs: readonly number[]): number[] {
	const departures = Float64Array.from(receivedNs, (at) => (Number.isNaN(at) ? Number.POSITIVE_INFINITY : at)).sort();
	const arrivals = Float64Array.from(scheduledNs).sort();
	return atNs.map((at) => countUpTo(arrivals, at) - countUpTo(departures, at));
}

/** How many values of an ascending list are at most `limit`; binary search. */
export function countUpTo(ascending: ArrayLike<number>, limit: number): number {
	let low = 0;
	let high = ascending.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((ascending[middle] ?? Number.NaN) <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}

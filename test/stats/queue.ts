import type { Traffic } from "batching-lab/stats";

/** What a request takes: always 1 ms, or 1 ms on average and exponentially distributed. */
export type Service = "fixed" | "random";

/** One server that takes 1 ms a request, Poisson arrivals at `load` of what it can do: the smallest real queue. */
export function queueOf(count: number, load: number, random: () => number, service: Service = "fixed"): Traffic {
	const scheduledNs = new Float64Array(count);
	const receivedNs = new Float64Array(count);
	let atNs = 0;
	let freeNs = 0;
	for (let i = 0; i < count; i++) {
		atNs += (-Math.log(1 - random()) * 1e6) / load;
		freeNs = Math.max(freeNs, atNs) + 1e6 * (service === "fixed" ? 1 : -Math.log(1 - random()));
		scheduledNs[i] = atNs;
		receivedNs[i] = freeNs;
	}
	return { scheduledNs, receivedNs, horizonNs: atNs };
}

/** The first requests find an empty server; they are left out. */
const WARM_UP = 2000;

/** Time in the system of each request, ns. */
export function latenciesOf(
	count: number,
	load: number,
	random: () => number,
	service: Service = "fixed",
): Float64Array {
	const { scheduledNs, receivedNs } = queueOf(count + WARM_UP, load, random, service);
	return Float64Array.from(
		{ length: count },
		(_, i) => (receivedNs[i + WARM_UP] ?? 0) - (scheduledNs[i + WARM_UP] ?? 0),
	);
}

/** Moments of `count` answers of a queue that has warmed up, ns. */
export function answersOf(count: number, load: number, random: () => number): Float64Array {
	return Float64Array.from(queueOf(count + WARM_UP, load, random).receivedNs).subarray(WARM_UP);
}

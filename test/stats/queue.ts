import type { Traffic } from "batching-lab/stats";

/** One server that takes 1 ms a request, Poisson arrivals at `load` of what it can do: the smallest real queue. */
export function queueOf(count: number, load: number, random: () => number): Traffic {
	const scheduledNs = new Float64Array(count);
	const receivedNs = new Float64Array(count);
	let atNs = 0;
	let freeNs = 0;
	for (let i = 0; i < count; i++) {
		atNs += (-Math.log(1 - random()) * 1e6) / load;
		freeNs = Math.max(freeNs, atNs) + 1e6;
		scheduledNs[i] = atNs;
		receivedNs[i] = freeNs;
	}
	return { scheduledNs, receivedNs, horizonNs: atNs };
}

/** Time in the system of each request, ns. The first `warmup` requests, which find an empty server, are left out. */
export function latenciesOf(count: number, load: number, random: () => number, warmup = 2000): Float64Array {
	const { scheduledNs, receivedNs } = queueOf(count + warmup, load, random);
	return Float64Array.from({ length: count }, (_, i) => (receivedNs[i + warmup] ?? 0) - (scheduledNs[i + warmup] ?? 0));
}

import { percentile, type SortedSamples, sortSamples } from "../stats/index.js";

/** Milliseconds; null where there are too few samples for that percentile. */
export interface Percentiles {
	readonly p50: number | null;
	readonly p90: number | null;
	readonly p95: number | null;
	readonly p98: number | null;
	readonly p99: number | null;
	readonly p999: number | null;
	/** The largest; null without samples. */
	readonly max: number | null;
}

export function toMs(ns: number | null | undefined): number | null {
	return ns === null || ns === undefined ? null : ns / 1e6;
}

/** later − earlier for each request where both happened, sorted, ns. */
export function differences(laterNs: Float64Array, earlierNs: Float64Array): SortedSamples {
	const found: number[] = [];
	for (let i = 0; i < laterNs.length; i++) {
		const difference = (laterNs[i] as number) - (earlierNs[i] as number);
		if (!Number.isNaN(difference)) found.push(difference);
	}
	return sortSamples(found);
}

/** Exact percentiles by nearest rank (`percentile` of `batching-lab/stats`) of samples in ns, given in ms. */
export function percentilesMs(samplesNs: SortedSamples): Percentiles {
	const at = (percent: number) => toMs(percentile(samplesNs, percent));
	return {
		p50: at(50),
		p90: at(90),
		p95: at(95),
		p98: at(98),
		p99: at(99),
		p999: at(99.9),
		max: toMs(samplesNs.at(-1)),
	};
}

import { FLUSH_REASONS, type FlushReason } from "../batcher/index.js";
import { percentile, rates, sortSamples } from "../stats/index.js";
import { type QueueHistory, SIM_OUTCOMES, type SimOutcome } from "./history.js";

/** A simulated run in numbers. A percentile is null when there are too few answers to state it. */
export interface QueueSummary {
	readonly requests: number;
	readonly outcomes: Readonly<Record<SimOutcome, number>>;
	readonly p50Ms: number | null;
	readonly p99Ms: number | null;
	readonly maxMs: number | null;
	readonly offeredPerSecond: number;
	readonly answeredPerSecond: number;
	/** Answers at least 95 % as fast as requests arrive. */
	readonly keepsUp: boolean;
	/** Rows a model call; 1 without a batcher. */
	readonly meanBatch: number;
	readonly reasons: Readonly<Record<FlushReason, number>>;
	/** Share of the time in which the core worked. */
	readonly utilisation: number;
}

/**
 * Sums a simulated run up. Latency counts answered requests only; the others are in `outcomes`.
 *
 * @param horizonNs how long requests arrived for, ns; by default until the last arrival
 */
export function summariseQueue(history: QueueHistory, horizonNs?: number): QueueSummary {
	const { arrivedNs, answeredNs, latencyNs, outcome, batches, endNs, busyNs } = history;
	const isAnswered = (request: number): boolean => outcome[request] === 0;
	const latencies = sortSamples(latencyNs.filter((_, request) => isAnswered(request)));
	const asMs = (ns: number | null | undefined): number | null => (ns === null || ns === undefined ? null : ns / 1e6);
	const { offeredPerSecond, answeredPerSecond, keepsUp } = rates({
		scheduledNs: arrivedNs,
		receivedNs: answeredNs.map((atNs, request) => (isAnswered(request) ? atNs : Number.NaN)),
		horizonNs: horizonNs ?? Math.max(1, arrivedNs.at(-1) ?? 1),
	});
	const outcomes: Record<SimOutcome, number> = { answered: 0, refused: 0, overdue: 0 };
	for (const index of outcome) outcomes[SIM_OUTCOMES[index] ?? "answered"]++;
	const reasons: Record<FlushReason, number> = { full: 0, timer: 0, idle: 0, deadline: 0, drain: 0 };
	for (const index of batches.reason) reasons[FLUSH_REASONS[index] ?? "full"]++;
	const batched = batches.size.reduce((sum, size) => sum + size, 0);
	return {
		requests: arrivedNs.length,
		outcomes,
		p50Ms: asMs(percentile(latencies, 50)),
		p99Ms: asMs(percentile(latencies, 99)),
		maxMs: asMs(latencies.at(-1)),
		offeredPerSecond,
		answeredPerSecond,
		keepsUp,
		meanBatch: batches.size.length === 0 ? 1 : batched / batches.size.length,
		reasons,
		utilisation: endNs === 0 ? 0 : busyNs / endNs,
	};
}

import { percentile, rates, type SortedSamples } from "../stats/index.js";
import { type Differing, differingScores } from "./differing.js";
import { hadToWait, shareTogether } from "./lateness.js";
import { differences, type Percentiles, percentilesMs, toMs } from "./percentiles.js";
import { OUTCOMES, type Outcome, type RequestColumns } from "./protocol.js";

/** An open-loop run as it came back from the client. */
export interface OpenRun {
	readonly columns: RequestColumns;
	/** For how long arrivals were scheduled, ms. */
	readonly arrivalMs: number;
	readonly connections: number;
	/** CPU of the client while counting and draining, µs. */
	readonly cpuUs: number;
	/** Errors by message. */
	readonly errors: Readonly<Record<string, number>>;
	/** Float32 bits of the single-row score, one for each body; absent: nothing is compared. */
	readonly expectedBits?: Uint32Array;
	/** The bodies, so that a score that differs is named by customer and month. */
	readonly bodies?: readonly string[];
}

export interface OpenRunSummary {
	readonly scheduled: number;
	readonly answered: number;
	readonly failed: number;
	readonly timedOut: number;
	readonly unsent: number;
	readonly offeredPerSecond: number;
	/** Answers over the arrival window, or until the last answer where that came later (`rates` of batching-lab/stats). */
	readonly answeredPerSecond: number;
	/** Answers ≥ 95 % as fast as requests arrive. */
	readonly keepsUp: boolean;
	/** Of answered requests, from the scheduled arrival. */
	readonly latencyMs: Percentiles;
	/** Of answered requests, from the send. */
	readonly serviceTimeMs: Percentiles;
	/** From the scheduled arrival to the send, of all that were sent. */
	readonly latenessMs: { readonly p50: number | null; readonly p99: number | null };
	/** Requests that found every connection taken. Their wait is in the latency, and no lateness of the client. */
	readonly waitedForConnection: number;
	/**
	 * Of the requests that found a free connection: the share sent, and the share scheduled, within 50 µs of the one
	 * before. When the others leave is up to the service, which frees their connections.
	 */
	readonly together: { readonly sent: number; readonly scheduled: number };
	/** Null where nothing was compared. */
	readonly differing: Differing | null;
	readonly cpuUsPerAnswer: number | null;
	/** Replies by HTTP status. */
	readonly statusCounts: Readonly<Record<string, number>>;
	readonly errors: Readonly<Record<string, number>>;
}

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

export function countOutcomes(outcome: Uint8Array): OutcomeCounts {
	const counts = { answered: 0, failed: 0, timedOut: 0, unsent: 0 };
	for (const kind of outcome) {
		const name = OUTCOMES[kind];
		if (name !== undefined) counts[name]++;
	}
	return counts;
}

function countStatuses(status: Uint16Array): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const code of status) if (code !== 0) counts[code] = (counts[code] ?? 0) + 1;
	return counts;
}

/** When answers came, NaN for a request without one; a refusal (HTTP 503) is a reply, but no answer. */
export function answeredNs({ receivedNs, outcome }: RequestColumns): Float64Array {
	return receivedNs.map((at, i) => (OUTCOMES[outcome[i] as number] === "answered" ? at : Number.NaN));
}

/** From the scheduled arrival to the send of those requests that found a free connection, ns. */
export function ownLateness(columns: RequestColumns, connections: number): SortedSamples {
	const waited = hadToWait(columns, connections);
	const sentNs = columns.sentNs.map((at, i) => (waited[i] === 1 ? Number.NaN : at));
	return differences(sentNs, columns.scheduledNs);
}

/** The figures of an open-loop run, from its raw stamps alone. */
export function summariseOpenRun(run: OpenRun): OpenRunSummary {
	const { columns, arrivalMs, connections, cpuUs, errors, expectedBits, bodies } = run;
	const { scheduledNs, sentNs, status, outcome } = columns;
	const counts = countOutcomes(outcome);
	const answered = answeredNs(columns);
	const speed = rates({ scheduledNs, receivedNs: answered, horizonNs: arrivalMs * 1e6 });
	const lateness = differences(sentNs, scheduledNs);
	const waited = hadToWait(columns, connections);
	return {
		scheduled: scheduledNs.length,
		...counts,
		offeredPerSecond: speed.offeredPerSecond,
		answeredPerSecond: speed.answeredPerSecond,
		keepsUp: speed.keepsUp,
		latencyMs: percentilesMs(differences(answered, scheduledNs)),
		serviceTimeMs: percentilesMs(differences(answered, sentNs)),
		latenessMs: { p50: toMs(percentile(lateness, 50)), p99: toMs(percentile(lateness, 99)) },
		waitedForConnection: waited.reduce((sum, one) => sum + one, 0),
		together: { sent: shareTogether(sentNs, waited), scheduled: shareTogether(scheduledNs, waited) },
		differing: expectedBits === undefined ? null : differingScores(columns, expectedBits, bodies),
		cpuUsPerAnswer: counts.answered === 0 ? null : cpuUs / counts.answered,
		statusCounts: countStatuses(status),
		errors,
	};
}

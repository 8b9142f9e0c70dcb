import type { BatcherError } from "./errors.js";
import type { FlushReason } from "./policy.js";

/** What one model call was. Times are ns of the batcher's clock (`CLOCK_MONOTONIC` on the system's). */
export interface BatchReport {
	/** Rises by one a model call, from 1. */
	readonly batchId: number;
	/** Rows in the call. */
	readonly size: number;
	readonly reason: FlushReason;
	/** When the first row was submitted. A whole number, exact to the ns below 104 days of uptime. */
	readonly firstSubmitNs: number;
	/** W, the wait asked for. */
	readonly askedWaitNs: number;
	/** How long the first row really waited; the batch left at `firstSubmitNs + waitNs`. */
	readonly waitNs: number;
	/** From the call of the score function to its return, or to the settling of its promise. */
	readonly modelNs: number;
	/** Rows that were dropped before the model, aborted or overdue, since the batch before left. */
	readonly dropped: number;
	/** Rows of this call that got an error from it; with `isolate` those that are tried again are not counted. */
	readonly failed: number;
	/** The call failed as a whole. */
	readonly error?: BatcherError;
	/** With `isolate`: the failed batch that this row comes from. */
	readonly retryOf?: number;
}

/** A score with the batch that made it. */
export interface Answer<Score> {
	readonly score: Score;
	/** Points to `BatchReport.batchId`. */
	readonly batchId: number;
	/** Rows in the model call that made this score. */
	readonly batchSize: number;
}

/**
 * Counts since the batcher was made. Always true:
 * `submitted = answered + failed + aborted + overdue + discarded + waiting + inModel`.
 */
export interface BatcherStats {
	/** Rows accepted. */
	readonly submitted: number;
	/** Rows that got their score. */
	readonly answered: number;
	/** Rows that got an error from the model. */
	readonly failed: number;
	/** Rows given up by their caller's signal, waiting or in the model. */
	readonly aborted: number;
	/** Rows past their deadline while waiting. */
	readonly overdue: number;
	/** Rows dropped for another reason: their `submitMany` had failed, `close({ discard: true })`, a stuck model. */
	readonly discarded: number;
	/** Rows waiting now: the queue's depth. */
	readonly waiting: number;
	/** Rows in the model now, those that wait for their second try included. */
	readonly inModel: number;
	/** Rows that were never accepted, by code. */
	readonly rejected: { readonly queueFull: number; readonly closed: number; readonly stuck: number };
	/** Model calls that have come back or timed out. */
	readonly batches: number;
	/** Rows of those calls. */
	readonly rows: number;
	/** Those calls by the reason they left for. */
	readonly reasons: Readonly<Record<FlushReason, number>>;
	/** Calls that outlived `modelTimeoutMs`. */
	readonly modelTimeouts: number;
	/** Errors thrown by `onBatch`. */
	readonly onBatchErrors: number;
	/** False while a call that outlived `modelTimeoutMs` has not come back. */
	readonly healthy: boolean;
	/** Only with a fractional W: time spent polling, an upper bound of the CPU time it burned. */
	readonly pollNs: number;
}

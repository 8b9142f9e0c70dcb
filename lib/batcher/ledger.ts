import type { ModelCall } from "./call.js";
import type { BatcherError } from "./errors.js";
import type { FlushReason } from "./policy.js";
import type { BatchReport } from "./report.js";
import { textOf } from "./shown.js";

/** What happened, counted, and told to `onBatch`. See `BatcherStats` for what each counter means. */
export class Ledger {
	submitted = 0;
	answered = 0;
	failed = 0;
	aborted = 0;
	overdue = 0;
	discarded = 0;
	readonly rejected = { queueFull: 0, closed: 0, stuck: 0 };
	batches = 0;
	rows = 0;
	modelTimeouts = 0;
	onBatchErrors = 0;
	readonly reasons: Record<FlushReason, number> = { full: 0, timer: 0, idle: 0, deadline: 0, drain: 0 };
	/** Rows dropped before the model and not yet reported with a batch. */
	dropped = 0;
	readonly #onBatch: ((report: BatchReport) => void) | undefined;
	readonly #askedWaitNs: number;

	constructor(onBatch: ((report: BatchReport) => void) | undefined, askedWaitNs: number) {
		this.#onBatch = onBatch;
		this.#askedWaitNs = askedWaitNs;
	}

	/** The rows dropped since this was last asked. */
	takeDropped(): number {
		const { dropped } = this;
		this.dropped = 0;
		return dropped;
	}

	/** A call has come back or timed out, and its rows are settled. */
	callEnded(call: ModelCall<unknown, unknown>, modelNs: number, failed: number, error: BatcherError | undefined): void {
		const size = call.entries.length;
		this.batches++;
		this.rows += size;
		this.reasons[call.reason]++;
		if (this.#onBatch === undefined) return;
		const { batchId, reason, firstSubmitNs, startNs, dropped, retryOf } = call;
		this.#tell(this.#onBatch, {
			batchId,
			size,
			reason,
			firstSubmitNs,
			askedWaitNs: this.#askedWaitNs,
			waitNs: startNs - firstSubmitNs,
			modelNs,
			dropped,
			failed,
			...(error === undefined ? undefined : { error }),
			...(retryOf === undefined ? undefined : { retryOf }),
		});
	}

	/** An observer's fault is not the rows' fault: it is counted, and said aloud once. */
	#tell(onBatch: (report: BatchReport) => unknown, report: BatchReport): void {
		try {
			const result = onBatch(report);
			if (result instanceof Promise) result.catch((problem: unknown) => this.#observerFailed(problem));
		} catch (problem) {
			this.#observerFailed(problem);
		}
	}

	#observerFailed(problem: unknown): void {
		this.onBatchErrors++;
		if (this.onBatchErrors > 1) return;
		process.emitWarning(`onBatch threw: ${textOf(problem)}`, { type: "BatcherWarning", code: "ON_BATCH_THREW" });
	}
}

/** Every error a row can get. The code is stable; messages may change. */
export const BATCHER_ERROR_CODES = [
	/** A constructor or submit option is out of range. */
	"BAD_OPTION",
	/** `maxQueue` rows wait already. Answer 503 with Retry-After. */
	"QUEUE_FULL",
	/** One `submitMany` has more rows than `maxQueue`: it can never fit. */
	"TOO_MANY_ROWS",
	/** The row's deadline passed while it waited; it never reached the model. */
	"QUEUE_DEADLINE",
	/** The caller's signal fired. `cause` is the signal's reason. */
	"ABORTED",
	/** `close()` was called before this row, or `close({ discard: true })` while it waited. */
	"CLOSED",
	/** The score function threw, rejected, or put an `Error` in this row's slot. `cause` is that error. */
	"MODEL_FAILED",
	/** The call outlived `modelTimeoutMs`. */
	"MODEL_TIMEOUT",
	/** An earlier call outlived `modelTimeoutMs` and has not come back; no row can be scored meanwhile. */
	"MODEL_STUCK",
	/** The score function did not return one score a row. */
	"BAD_SCORE_COUNT",
	/** This row's score is NaN or infinite. */
	"NON_FINITE_SCORE",
] as const;
export type BatcherErrorCode = (typeof BATCHER_ERROR_CODES)[number];

export interface BatcherErrorOptions extends ErrorOptions {
	/** What to do about it, one sentence. */
	readonly hint?: string;
}

/**
 * What a row is rejected with. Look at `code`, never at the message.
 *
 * @example
 * try {
 *   return await batcher.submit(row);
 * } catch (error) {
 *   if (isBatcherError(error) && error.code === "QUEUE_FULL") return reply.code(503).header("retry-after", "1").send();
 *   throw error;
 * }
 */
export class BatcherError extends Error {
	override readonly name: string = "BatcherError";
	readonly code: BatcherErrorCode;
	readonly hint: string | undefined;
	readonly exitCode: 1 | 2;

	constructor(code: BatcherErrorCode, message: string, options: BatcherErrorOptions = {}) {
		super(message, options);
		this.code = code;
		this.hint = options.hint;
		this.exitCode = code === "BAD_OPTION" ? 2 : 1;
	}
}

export function aborted(cause: unknown): BatcherError {
	return new BatcherError("ABORTED", "the caller gave this row up", { cause });
}

export function modelStuck(): BatcherError {
	return new BatcherError("MODEL_STUCK", "a model call outlived modelTimeoutMs and has not come back", {
		hint: "answer 503 now; if it stays so, restart the process",
	});
}

export function modelTimeout(limitNs: number): BatcherError {
	return new BatcherError("MODEL_TIMEOUT", `the model call took longer than modelTimeoutMs (${limitNs / 1e6} ms)`);
}

export function overdue(waitedNs: number): BatcherError {
	const waitedMs = (waitedNs / 1e6).toFixed(1);
	return new BatcherError("QUEUE_DEADLINE", `the row's deadline passed after ${waitedMs} ms in the queue`, {
		hint: "rows come faster than the model takes them, or the deadline is shorter than a model call",
	});
}

/** True for what a batcher rejects with, also when two copies of this module are loaded. */
export function isBatcherError(error: unknown): error is BatcherError {
	return error instanceof BatcherError || (error instanceof Error && error.name === "BatcherError" && "code" in error);
}

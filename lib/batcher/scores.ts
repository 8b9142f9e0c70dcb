import { BatcherError } from "./errors.js";
import { isError, messageOf, textOf } from "./shown.js";

/** What a score function returns: one score a row, in the order of the rows; an `Error` fails the row of its slot. */
export type Scores<Score> = ArrayLike<Score | Error>;

/** What the score function is told beside the rows. */
export interface CallContext {
	/** The id that the batch's report and answers will carry. */
	readonly batchId: number;
	/** Fires when the call has outlived `modelTimeoutMs`: nobody waits for its result any longer. */
	readonly signal: AbortSignal;
}

/**
 * Scores rows. Its contract:
 * - it returns (or promises) one score a row, in the order of the rows, row i from row i alone;
 * - an `Error` in a slot fails that row; a throw, a rejection or a wrong count fails the batch.
 */
export type ScoreFunction<Row, Score> = (
	rows: readonly Row[],
	context: CallContext,
) => Scores<Score> | PromiseLike<Scores<Score>>;

export function modelFailed(cause: unknown): BatcherError {
	return new BatcherError("MODEL_FAILED", `the score function failed: ${messageOf(cause)}`, { cause });
}

/**
 * The error of a whole batch whose result cannot be matched with its rows; undefined when it can. What a score function
 * returns may be anything: to look at it may fail as well.
 */
export function countError(scores: unknown, rows: number): BatcherError | undefined {
	try {
		const found = typeof scores === "object" && scores !== null && "length" in scores ? scores.length : scores;
		if (found === rows && found !== scores) return undefined;
		return new BatcherError("BAD_SCORE_COUNT", `expected ${rows} scores, got ${textOf(found)}`, {
			hint: "the score function must return one score a row, in the order of the rows",
		});
	} catch (cause) {
		return modelFailed(cause);
	}
}

/** One slot of the result; an `Error` when it cannot be read. */
export function scoreIn<Score>(scores: Scores<Score>, row: number): Score | Error | undefined {
	try {
		return scores[row];
	} catch (cause) {
		return isError(cause) ? cause : new Error(messageOf(cause), { cause });
	}
}

/** Whether what a slot holds can be handed out. */
export function isScore<Score>(slot: Score | Error | undefined): slot is Score {
	if (typeof slot === "number") return Number.isFinite(slot);
	return slot !== undefined && !(typeof slot === "object" && isError(slot));
}

/** The error of a row whose slot holds no score that could be handed out. */
export function slotError(score: unknown): BatcherError {
	if (typeof score === "number") {
		return new BatcherError("NON_FINITE_SCORE", `the model's score of this row is ${score}`);
	}
	if (isError(score)) return modelFailed(score);
	return new BatcherError("BAD_SCORE_COUNT", "the score function left this row's slot empty");
}

export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
	return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

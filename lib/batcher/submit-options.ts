import { BatcherError } from "./errors.js";
import { limitNs } from "./options.js";
import { shown } from "./shown.js";

/** The options of one `submit` or `submitMany`. */
export interface SubmitOptions {
	/**
	 * Gives the row up: its promise rejects with `ABORTED` at once; a row that still waits never reaches the model.
	 *
	 * @default none
	 * @example
	 * batcher.submit(row, { signal: request.signal });
	 */
	readonly signal?: AbortSignal;
	/**
	 * How long this row may wait, ms from now. Shortens `queueDeadlineMs`, never lengthens it. Minimum: above 0. A batch
	 * that waits for company leaves 2 ms before it, since a timer may be that late.
	 *
	 * @default queueDeadlineMs
	 * @example
	 * batcher.submit(row, { deadlineMs: 20 });
	 */
	readonly deadlineMs?: number;
}

/** What a `submit` without options is given. */
export const NO_OPTIONS: SubmitOptions = {};

/**
 * A request's own `deadlineMs` in ns; undefined when it has none.
 *
 * @throws {BatcherError} `BAD_OPTION`
 */
export function deadlineLimitNs({ deadlineMs }: SubmitOptions): number | undefined {
	return deadlineMs === undefined ? undefined : limitNs("deadlineMs", deadlineMs);
}

/** @throws {BatcherError} `BAD_OPTION` */
export function checkSignal({ signal }: SubmitOptions): void {
	if (signal === undefined || typeof signal?.addEventListener === "function") return;
	throw new BatcherError("BAD_OPTION", `signal must be an AbortSignal, got ${shown(signal)}`);
}

/**
 * How many rows a request has. A typed array or a Set is refused: `map` of the one gives numbers, the other has none.
 *
 * @throws {BatcherError} `BAD_OPTION`
 */
export function countRows(rows: readonly unknown[]): number {
	if (Array.isArray(rows)) return rows.length;
	throw new BatcherError("BAD_OPTION", `rows must be an array, got ${shown(rows)}`);
}

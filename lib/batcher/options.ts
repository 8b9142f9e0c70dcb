import type { Clock } from "./clock.js";
import { BatcherError } from "./errors.js";
import type { BatchReport } from "./report.js";
import { shown } from "./shown.js";
import { createSystemClock } from "./system-clock.js";

/** The options of a `MicroBatcher`. */
export interface BatcherOptions {
	/**
	 * B: the most rows in one model call. Minimum: 1.
	 *
	 * @default 32
	 * @example
	 * new MicroBatcher(score, { maxBatchSize: 8 });
	 */
	readonly maxBatchSize?: number;
	/**
	 * W: how long the first row of a batch waits for company, ms. Minimum: 0, which means that nothing ever waits
	 * on purpose: what has gathered while the model was busy goes next. A whole number costs nothing while it waits;
	 * a fraction is kept exactly, by polling for the last 1.25 ms (see `BatcherStats.pollNs`).
	 *
	 * @default 0
	 * @example
	 * new MicroBatcher(score, { maxWaitMs: 2 });
	 */
	readonly maxWaitMs?: number;
	/**
	 * The most rows that may wait; one more is rejected at once with `QUEUE_FULL`. Rows in the model do not count.
	 * Minimum: `maxBatchSize`, since a smaller queue could never fill a batch.
	 *
	 * @default 1024, or 4 × maxBatchSize if that is more
	 * @example
	 * new MicroBatcher(score, { maxQueue: 256 });
	 */
	readonly maxQueue?: number;
	/**
	 * How long a row may wait, ms; a row past it is rejected with `QUEUE_DEADLINE` and never reaches the model.
	 * Minimum: above 0.
	 *
	 * @default Infinity
	 * @example
	 * new MicroBatcher(score, { queueDeadlineMs: 100 });
	 */
	readonly queueDeadlineMs?: number;
	/**
	 * The most model calls at once. Leave it at 1 for a model that runs on this process's own thread: more calls
	 * would only stand in line where no row can be dropped any more. Raise it for a model that works elsewhere
	 * (a pool of threads, another machine). Minimum: 1.
	 *
	 * @default 1
	 * @example
	 * new MicroBatcher(askRemoteModel, { maxInFlight: 4 });
	 */
	readonly maxInFlight?: number;
	/**
	 * How long one model call may take, ms; then its rows are rejected with `MODEL_TIMEOUT` and `healthy` is false
	 * until the call comes back. Minimum: above 0.
	 *
	 * @default Infinity
	 * @example
	 * new MicroBatcher(score, { modelTimeoutMs: 1000 });
	 */
	readonly modelTimeoutMs?: number;
	/**
	 * Score the rows of a failed batch again, one by one, so that one poison row costs one error. A batch that
	 * timed out is not repeated.
	 *
	 * @default false
	 * @example
	 * new MicroBatcher(score, { isolate: true });
	 */
	readonly isolate?: boolean;
	/**
	 * Where time and turns come from.
	 *
	 * @default the system's clock
	 * @example
	 * new MicroBatcher(score, { clock: new VirtualClock() });
	 */
	readonly clock?: Clock;
	/**
	 * Called once a model call, after its rows are settled. What it throws is counted (`stats().onBatchErrors`) and
	 * reported once as a process warning; no row is touched by it.
	 *
	 * @default none
	 * @example
	 * new MicroBatcher(score, { onBatch: ({ size, reason }) => histogram.observe({ reason }, size) });
	 */
	readonly onBatch?: (report: BatchReport) => void;
}

/** The options as the batcher uses them: nothing missing, times in ns. */
export interface ResolvedOptions {
	readonly maxBatchSize: number;
	readonly maxWaitNs: number;
	readonly slackNs: number;
	/** W has a fraction of a millisecond, which no timer can keep. */
	readonly fineWait: boolean;
	readonly maxQueue: number;
	readonly queueDeadlineNs: number;
	readonly maxInFlight: number;
	readonly modelTimeoutNs: number;
	readonly isolate: boolean;
	readonly clock: Clock;
	readonly onBatch: ((report: BatchReport) => void) | undefined;
}

function bad(name: string, expected: string, value: unknown): BatcherError {
	return new BatcherError("BAD_OPTION", `${name} must be ${expected}, got ${shown(value)}`);
}

function count(name: string, value: unknown, minimum: number): number {
	if (typeof value === "number" && Number.isSafeInteger(value) && value >= minimum) return value;
	throw bad(name, `a whole number, ${minimum} or more`, value);
}

/**
 * A time limit in ms, above 0 and possibly infinite, as ns.
 *
 * @throws {BatcherError} `BAD_OPTION`
 */
export function limitNs(name: string, value: unknown): number {
	if (typeof value === "number" && value > 0) return Math.round(value * 1e6);
	throw bad(name, "a number of milliseconds above 0 (Infinity for no limit)", value);
}

function waitNs(value: unknown): number {
	if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return Math.round(value * 1e6);
	throw bad("maxWaitMs", "a finite number of milliseconds, 0 or more", value);
}

function onOff(name: string, value: unknown): boolean {
	if (typeof value === "boolean") return value;
	throw bad(name, "true or false", value);
}

/**
 * Fills in the defaults and rejects a bad value by name, value and type.
 *
 * @throws {BatcherError} `BAD_OPTION`
 */
export function resolveOptions(options: BatcherOptions): ResolvedOptions {
	const maxBatchSize = count("maxBatchSize", options.maxBatchSize ?? 32, 1);
	const maxWaitMs = options.maxWaitMs ?? 0;
	const clock = options.clock ?? createSystemClock();
	const { onBatch } = options;
	if (onBatch !== undefined && typeof onBatch !== "function") throw bad("onBatch", "a function", onBatch);
	return {
		maxBatchSize,
		maxWaitNs: waitNs(maxWaitMs),
		slackNs: clock.slackNs,
		fineWait: !Number.isInteger(maxWaitMs),
		maxQueue: count("maxQueue", options.maxQueue ?? Math.max(1024, 4 * maxBatchSize), maxBatchSize),
		queueDeadlineNs: limitNs("queueDeadlineMs", options.queueDeadlineMs ?? Number.POSITIVE_INFINITY),
		maxInFlight: count("maxInFlight", options.maxInFlight ?? 1, 1),
		modelTimeoutNs: limitNs("modelTimeoutMs", options.modelTimeoutMs ?? Number.POSITIVE_INFINITY),
		isolate: onOff("isolate", options.isolate ?? false),
		clock,
		onBatch,
	};
}

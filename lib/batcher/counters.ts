import type { FlushReason } from "./policy.js";

/** The counters behind `stats()`; see `BatcherStats` for what each means. */
export class Counters {
	submitted = 0;
	answered = 0;
	failed = 0;
	aborted = 0;
	overdue = 0;
	discarded = 0;
	queueFull = 0;
	closed = 0;
	stuck = 0;
	batches = 0;
	rows = 0;
	modelTimeouts = 0;
	onBatchErrors = 0;
	/** Rows dropped before the model since a batch last left. */
	dropped = 0;
	readonly reasons: Record<FlushReason, number> = { full: 0, timer: 0, idle: 0, deadline: 0, drain: 0 };
}

/** Why a batch left, in the order in which records store them. */
export const FLUSH_REASONS = [
	/** B rows are waiting. */
	"full",
	/** The oldest row has waited W; also when the model was busy meanwhile. */
	"timer",
	/** W = 0 and fewer than B rows: the model is free, so nothing waits. */
	"idle",
	/** A row's own deadline comes before W ends. */
	"deadline",
	/** `drain()` or `close()`: nothing waits any longer. */
	"drain",
] as const;
export type FlushReason = (typeof FLUSH_REASONS)[number];

/** The dials of the policy. */
export interface PolicyOptions {
	/** B: rows a batch holds at most. */
	readonly maxBatchSize: number;
	/** W: how long the oldest row waits for company at most. 0 = not at all. */
	readonly maxWaitNs: number;
	/** How late a sleep may end; a row with a deadline leaves this much before it. 0 on a virtual clock. */
	readonly slackNs: number;
}

/** What the policy looks at: the queue and the model at one moment. Times are ns of one clock. */
export interface QueueView {
	readonly nowNs: number;
	/** Rows waiting. */
	readonly length: number;
	/** When the oldest waiting row was submitted; its age is `nowNs - oldestNs`. Not read when nothing waits. */
	readonly oldestNs: number;
	/** The nearest deadline of a waiting row; `Infinity` without one. */
	readonly deadlineNs: number;
	/** A model call is in flight. */
	readonly busy: boolean;
	/** The oldest row must not wait for company (`drain()`, `close()`). */
	readonly draining: boolean;
}

/** Take `rows` rows from the head of the queue now, or look again at `untilNs` (or on the next event). */
export type Decision =
	| { readonly action: "take"; readonly rows: number; readonly reason: FlushReason }
	| { readonly action: "sleep"; readonly untilNs: number };

/**
 * The whole flush policy, pure: the live batcher and the simulator call this very function.
 *
 * - A batch leaves only when the model is free, and never holds more than B rows.
 * - The wait counts from the submission of the oldest row; a later row never restarts it.
 * - With W = 0 the answer is never "sleep" while the model is free and a row waits.
 * - A row is overdue when its deadline is past, so at the deadline itself it may still leave.
 */
export function decide(view: QueueView, options: PolicyOptions): Decision {
	if (view.length === 0) return { action: "sleep", untilNs: Number.POSITIVE_INFINITY };
	// Nothing can leave; wake when the first row has become overdue, to tell its caller.
	if (view.busy) return { action: "sleep", untilNs: view.deadlineNs + 1 };
	const { maxBatchSize, maxWaitNs, slackNs } = options;
	if (view.length >= maxBatchSize) return { action: "take", rows: maxBatchSize, reason: "full" };
	if (view.draining) return { action: "take", rows: view.length, reason: "drain" };
	if (maxWaitNs === 0) return { action: "take", rows: view.length, reason: "idle" };
	const waitEndsNs = view.oldestNs + maxWaitNs;
	if (view.nowNs >= waitEndsNs) return { action: "take", rows: view.length, reason: "timer" };
	const leaveByNs = view.deadlineNs - slackNs;
	if (leaveByNs >= waitEndsNs) return { action: "sleep", untilNs: waitEndsNs };
	if (view.nowNs >= leaveByNs) return { action: "take", rows: view.length, reason: "deadline" };
	return { action: "sleep", untilNs: leaveByNs };
}

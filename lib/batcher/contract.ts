/** What the longest wait depends on. */
export interface ContractTerms {
	/** B. */
	readonly maxBatchSize: number;
	/** W, ms. */
	readonly maxWaitMs: number;
	/** Q. */
	readonly maxQueue: number;
	/** k; 1 unless stated. */
	readonly maxInFlight?: number;
	/**
	 * M, the longest that one model call holds its place, ms: at most `modelTimeoutMs`, if the model then fails for
	 * good. With `isolate` a failed batch holds it for up to 1 + B calls.
	 */
	readonly modelMs: number;
}

/**
 * The latency contract: the longest that an accepted row can wait before it leaves for the model, in ms.
 *
 * ```
 * wait ≤ max(W, ⌈⌈Q / B⌉ / k⌉ · M)        and the answer comes at most M later
 * ```
 *
 * An accepted row is at most the Q-th in the queue. Whatever leaves before it leaves in full batches, or it would
 * take the row along; so the row is in the ⌈Q / B⌉-th departure at the latest. While rows wait, each of the k places
 * starts a call at least every M. When the turn of the row's own batch comes, it leaves at once if it is full, and
 * otherwise when its oldest row has waited W, which is no later than W after the row itself came. A `queueDeadlineMs`
 * caps the wait further. To this a busy machine adds the turns of its event loop.
 *
 * @example
 * longestWaitMs({ maxBatchSize: 32, maxWaitMs: 2, maxQueue: 256, modelMs: 5 }); // 40
 */
export function longestWaitMs({ maxBatchSize, maxWaitMs, maxQueue, maxInFlight = 1, modelMs }: ContractTerms): number {
	const departures = Math.ceil(maxQueue / maxBatchSize);
	return Math.max(maxWaitMs, Math.ceil(departures / maxInFlight) * modelMs);
}

/**
 * Says when the next request is due. Node's own timers are too coarse for that: they fire on whole milliseconds, so that
 * at 1,000 requests a second a quarter of all requests leave together with another one and hand the batcher a
 * ready-made batch.
 *
 * - `timer`: a thread sleeps until the next arrival and wakes the loop. Late by about 0.1 ms; for a shared core.
 * - `precise`: the loop turns without sleeping while the next arrival is near. Late by some µs; burns its core.
 */
export interface Pacer {
	/** `wake` is called whenever a request may be due; more often does no harm. `epochNs`: time 0 of the arrivals. */
	start(epochNs: bigint, wake: () => void): void;
	/** Arrivals before `next` have been dealt with. */
	progress(next: number): void;
	/** Every connection is taken, so nothing could be sent: no wake-ups until `resume`. */
	pause(): void;
	resume(): void;
	stop(): void;
}

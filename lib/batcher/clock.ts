/** One moment to be woken at; it can be moved and cleared any number of times. */
export interface Alarm {
	/**
	 * Rings once in a turn at or after `atNs`, never before it. Replaces the moment set before.
	 *
	 * @param fine stay awake for the last stretch instead of trusting a timer that counts whole milliseconds
	 */
	set(atNs: number, fine: boolean): void;
	clear(): void;
}

/**
 * Where the batcher takes its time and its turns from. Two are here: `createSystemClock()` and `VirtualClock`.
 * A turn is one round of the event loop; between two turns the loop reads its sockets.
 */
export interface Clock {
	/** Nanoseconds of a clock that never runs backwards, as a whole number. */
	nowNs(): number;
	/** Runs `callback` in the next turn: never in the caller's stack, never from a microtask. */
	defer(callback: () => void): void;
	/** Makes an alarm that runs `callback`. */
	alarm(callback: () => void): Alarm;
	/** How late an alarm may ring on a quiet loop. */
	readonly slackNs: number;
	/** What `fine` has cost so far. */
	readonly polling: PollingCost;
}

/** What waiting with `fine` cost: while it polls, the loop spins instead of sleeping. */
export interface PollingCost {
	/** Time spent polling; an upper bound of the CPU time it burned. */
	readonly pollNs: number;
	/** Turns of the loop that found the moment not yet come. */
	readonly pollTurns: number;
}

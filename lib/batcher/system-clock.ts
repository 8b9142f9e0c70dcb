import type { Clock, PollingCost, Wake } from "./clock.js";

const NS_PER_MS = 1e6;

/** A Node timer counts whole milliseconds from a cached time, so it fires up to 1 ms early and 1.2 ms late. */
const TIMER_SLACK_NS = 2 * NS_PER_MS;

/**
 * How long before the moment polling starts. A timer of n ms, n rounded up, fires at most n + 1.2 ms from now,
 * so one aimed this much early still comes in time.
 */
const POLL_WINDOW_NS = 1.25 * NS_PER_MS;

/** `setTimeout` takes at most this; a longer sleep is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * `performance.now()` is three times as cheap as `process.hrtime.bigint()` and counts the same clock from
 * another origin. The distance is taken between two close readings; the closest pair of some wins.
 */
function monotonicOffsetNs(): number {
	let offsetNs = 0;
	let closestNs = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < 16; attempt++) {
		const before = process.hrtime.bigint();
		const sinceOriginNs = performance.now() * NS_PER_MS;
		const apartNs = Number(process.hrtime.bigint() - before);
		if (apartNs < closestNs) {
			closestNs = apartNs;
			offsetNs = Number(before) + apartNs / 2 - sinceOriginNs;
		}
	}
	return offsetNs;
}

const OFFSET_NS = monotonicOffsetNs();

class Cost implements PollingCost {
	pollNs = 0;
	pollTurns = 0;
}

/** One sleep: timers far from the moment, and, if `fine`, turns of the loop near it. */
class SystemWake implements Wake {
	readonly #atNs: number;
	readonly #callback: () => void;
	readonly #fine: boolean;
	readonly #cost: Cost;
	#timer: NodeJS.Timeout | undefined;
	#immediate: NodeJS.Immediate | undefined;
	#pollSinceNs = 0;

	constructor(atNs: number, callback: () => void, fine: boolean, cost: Cost) {
		this.#atNs = atNs;
		this.#callback = callback;
		this.#fine = fine;
		this.#cost = cost;
		this.#sleep(atNs - nowNs());
	}

	/** The timer may have fired early: look at the clock, and sleep again if the moment has not come. */
	readonly #look = (): void => {
		const leftNs = this.#atNs - nowNs();
		if (leftNs > 0) {
			this.#sleep(leftNs);
			return;
		}
		this.#endPolling();
		this.#callback();
	};

	#sleep(leftNs: number): void {
		if (this.#fine && leftNs <= POLL_WINDOW_NS) {
			if (this.#pollSinceNs === 0) this.#pollSinceNs = nowNs();
			else this.#cost.pollTurns++;
			this.#immediate = setImmediate(this.#look);
			return;
		}
		const sleepNs = this.#fine ? leftNs - POLL_WINDOW_NS : leftNs;
		this.#timer = setTimeout(this.#look, Math.min(Math.ceil(sleepNs / NS_PER_MS), LONGEST_TIMER_MS));
	}

	#endPolling(): void {
		if (this.#pollSinceNs > 0) this.#cost.pollNs += nowNs() - this.#pollSinceNs;
		this.#pollSinceNs = 0;
	}

	cancel(): void {
		clearTimeout(this.#timer);
		clearImmediate(this.#immediate);
		this.#endPolling();
	}
}

function nowNs(): number {
	return Math.round(performance.now() * NS_PER_MS + OFFSET_NS);
}

/** The machine's own time, ns of `CLOCK_MONOTONIC` (what `process.hrtime.bigint()` counts). */
export function createSystemClock(): Clock {
	const cost = new Cost();
	return {
		nowNs,
		// Not a microtask and not nextTick: those run before the loop has read its next socket, so batches stay at 1.
		defer: (callback) => {
			setImmediate(callback);
		},
		wakeAt: (atNs, callback, fine) => new SystemWake(atNs, callback, fine, cost),
		slackNs: TIMER_SLACK_NS,
		polling: cost,
	};
}

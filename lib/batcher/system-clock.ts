import type { Alarm, Clock, PollingCost } from "./clock.js";

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

function nowNs(): number {
	return Math.round(performance.now() * NS_PER_MS + OFFSET_NS);
}

/** Adds up what all alarms of one clock spent polling. */
class Cost implements PollingCost {
	pollNs = 0;
	pollTurns = 0;
}

/** Timers far from the moment and, if `fine`, turns of the loop near it; the clock has the last word. */
class SystemAlarm implements Alarm {
	readonly #callback: () => void;
	readonly #cost: Cost;
	#atNs = 0;
	#fine = false;
	#timer: NodeJS.Timeout | undefined;
	#immediate: NodeJS.Immediate | undefined;
	#pollSinceNs = 0;

	constructor(callback: () => void, cost: Cost) {
		this.#callback = callback;
		this.#cost = cost;
	}

	set(atNs: number, fine: boolean): void {
		this.clear();
		this.#atNs = atNs;
		this.#fine = fine;
		this.#sleep(atNs - nowNs());
	}

	clear(): void {
		if (this.#timer !== undefined) clearTimeout(this.#timer);
		if (this.#immediate !== undefined) clearImmediate(this.#immediate);
		this.#stopped();
	}

	/** The timer may have fired early: look at the clock, and sleep again if the moment has not come. */
	readonly #look = (): void => {
		const leftNs = this.#atNs - nowNs();
		if (leftNs > 0) {
			this.#sleep(leftNs);
			return;
		}
		this.#stopped();
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
		const sleepMs = Math.max(1, Math.min(Math.ceil(sleepNs / NS_PER_MS), LONGEST_TIMER_MS));
		this.#timer = setTimeout(this.#look, sleepMs);
	}

	#stopped(): void {
		this.#timer = undefined;
		this.#immediate = undefined;
		if (this.#pollSinceNs > 0) this.#cost.pollNs += nowNs() - this.#pollSinceNs;
		this.#pollSinceNs = 0;
	}
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
		alarm: (callback) => new SystemAlarm(callback, cost),
		slackNs: TIMER_SLACK_NS,
		polling: cost,
	};
}

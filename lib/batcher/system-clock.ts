import { hrtime } from "node:process";
import type { Alarm, Clock, PollingCost } from "./clock.js";

const NS_PER_MS = 1e6;
const NEVER = Number.POSITIVE_INFINITY;

/** A Node timer counts whole milliseconds from a cached time, so it fires up to 1 ms early and 1.2 ms late. */
const TIMER_SLACK_NS = 2 * NS_PER_MS;

/**
 * How long before the moment polling starts. A timer of n ms, n rounded up, fires at most n + 1.2 ms from now,
 * so one aimed this much early still comes in time.
 */
const POLL_WINDOW_NS = 1.25 * NS_PER_MS;

/** `setTimeout` takes at most this; a longer sleep is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** ns of `CLOCK_MONOTONIC`. The pair of numbers costs two thirds of what `hrtime.bigint()` costs. */
function nowNs(): number {
	const time = hrtime();
	return time[0] * 1e9 + time[1];
}

/** Adds up what all alarms of one clock spent polling. */
class Cost implements PollingCost {
	pollNs = 0;
	pollTurns = 0;
}

/**
 * Timers far from the moment and, if `fine`, turns of the loop near it; the clock has the last word.
 *
 * An alarm is set and cleared with almost every batch, so its timer is kept: starting it again costs 70 ns where a
 * new one costs 310. A cleared alarm's timer runs on without keeping the process alive, and rings in vain.
 */
class SystemAlarm implements Alarm {
	readonly #callback: () => void;
	readonly #cost: Cost;
	/** `Infinity` while the alarm is not set. */
	#atNs = NEVER;
	#fine = false;
	#timer: NodeJS.Timeout | undefined;
	#timerMs = 0;
	#poll: NodeJS.Immediate | undefined;
	#pollSinceNs = 0;

	constructor(callback: () => void, cost: Cost) {
		this.#callback = callback;
		this.#cost = cost;
	}

	set(atNs: number, fine: boolean): void {
		this.#stopPolling();
		this.#atNs = atNs;
		this.#fine = fine;
		this.#sleep(nowNs());
	}

	clear(): void {
		this.#stopPolling();
		this.#atNs = NEVER;
		this.#timer?.unref();
	}

	#sleep(fromNs: number): void {
		const leftNs = this.#atNs - fromNs;
		if (!this.#fine) {
			this.#startTimer(leftNs);
		} else if (leftNs > POLL_WINDOW_NS) {
			this.#startTimer(leftNs - POLL_WINDOW_NS);
		} else {
			this.#timer?.unref();
			this.#pollSinceNs = fromNs;
			this.#poll = setImmediate(this.#onPoll);
		}
	}

	#startTimer(sleepNs: number): void {
		const ms = Math.max(1, Math.min(Math.ceil(sleepNs / NS_PER_MS), LONGEST_TIMER_MS));
		if (this.#timer !== undefined && ms === this.#timerMs) {
			this.#timer.ref().refresh();
			return;
		}
		clearTimeout(this.#timer);
		this.#timer = setTimeout(this.#onTimer, ms);
		this.#timerMs = ms;
	}

	/** The timer may have fired early: look at the clock, and sleep again if the moment has not come. */
	readonly #onTimer = (): void => {
		if (this.#atNs === NEVER || this.#poll !== undefined) return;
		const timeNs = nowNs();
		if (timeNs < this.#atNs) this.#sleep(timeNs);
		else this.#ring();
	};

	readonly #onPoll = (): void => {
		if (nowNs() < this.#atNs) {
			this.#cost.pollTurns++;
			this.#poll = setImmediate(this.#onPoll);
			return;
		}
		this.#stopPolling();
		this.#ring();
	};

	#ring(): void {
		this.#atNs = NEVER;
		this.#callback();
	}

	#stopPolling(): void {
		if (this.#poll === undefined) return;
		clearImmediate(this.#poll);
		this.#poll = undefined;
		this.#cost.pollNs += nowNs() - this.#pollSinceNs;
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

import { setImmediate as turn } from "node:timers/promises";
import type { Alarm, Clock, PollingCost } from "./clock.js";

const NS_PER_MS = 1e6;

interface Event {
	readonly atNs: number;
	readonly order: number;
	readonly run: () => void;
}

/**
 * Time that moves only when told to, for tests and for taking a batch apart by hand. Events run in the order of
 * their moment, at equal moments in the order in which they were asked for; everything an event started with
 * promises has settled before the next event runs. So equal programs give equal histories.
 *
 * @example
 * const clock = new VirtualClock();
 * const batcher = new MicroBatcher(async (rows: readonly number[]) => {
 *   await clock.sleep(3); // the model takes 3 ms
 *   return rows;
 * }, { maxBatchSize: 8, maxWaitMs: 2, clock });
 * const answer = batcher.submit(7);
 * await clock.advance(5); // 2 ms of waiting, 3 ms of model
 * console.log(await answer); // 7
 */
export class VirtualClock implements Clock {
	readonly slackNs: number = 0;
	readonly polling: PollingCost = { pollNs: 0, pollTurns: 0 };
	#nowNs: number;
	#order = 0;
	/** Ascending in (atNs, order); the next event is the last element, so taking it is a `pop`. */
	readonly #events: Event[] = [];

	/** @param startMs where time starts, ms */
	constructor(startMs = 0) {
		this.#nowNs = Math.round(startMs * NS_PER_MS);
	}

	nowNs(): number {
		return this.#nowNs;
	}

	get nowMs(): number {
		return this.#nowNs / NS_PER_MS;
	}

	/** Events that have not run yet. */
	get pending(): number {
		return this.#events.length;
	}

	defer(callback: () => void): void {
		this.#schedule(this.#nowNs, callback);
	}

	alarm(callback: () => void): Alarm {
		let event: Event | undefined;
		const clear = (): void => {
			if (event !== undefined) this.#cancel(event);
			event = undefined;
		};
		return {
			set: (atNs) => {
				clear();
				event = this.#schedule(Math.max(atNs, this.#nowNs), callback);
			},
			clear,
		};
	}

	/** Runs `callback` at `atMs`, or at once in the next event when that is past. */
	at(atMs: number, callback: () => void): void {
		this.#schedule(Math.max(Math.round(atMs * NS_PER_MS), this.#nowNs), callback);
	}

	/** Resolves `ms` from now, in virtual time. */
	sleep(ms: number): Promise<void> {
		return new Promise((resolve) => {
			this.at(this.nowMs + ms, resolve);
		});
	}

	/** Moves time forward by `ms`, running every event on the way. */
	async advance(ms: number): Promise<void> {
		if (!(ms >= 0)) throw new RangeError(`advance: ms must be 0 or more, got ${ms}`);
		await this.#runUntil(this.#nowNs + Math.round(ms * NS_PER_MS));
	}

	/** Runs events until none is left; time stops at the last one. For ever, if each event makes another. */
	async runAll(): Promise<void> {
		await turn();
		for (let next = this.#events.at(-1); next !== undefined; next = this.#events.at(-1)) {
			await this.#runUntil(next.atNs);
		}
	}

	async #runUntil(endNs: number): Promise<void> {
		// A real turn of the loop: every promise reaction that is due has run when it ends.
		await turn();
		for (let next = this.#events.at(-1); next !== undefined && next.atNs <= endNs; next = this.#events.at(-1)) {
			this.#events.pop();
			this.#nowNs = next.atNs;
			next.run();
			await turn();
		}
		this.#nowNs = endNs;
	}

	#cancel(event: Event): void {
		const index = this.#events.indexOf(event);
		if (index >= 0) this.#events.splice(index, 1);
	}

	#schedule(atNs: number, run: () => void): Event {
		const event: Event = { atNs, order: this.#order++, run };
		let low = 0;
		let high = this.#events.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const other = this.#events[middle];
			// Later moments first; at equal moments the newer event stands before the older one.
			if (other !== undefined && other.atNs > atNs) low = middle + 1;
			else high = middle;
		}
		this.#events.splice(low, 0, event);
		return event;
	}
}

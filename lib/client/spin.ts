import { RunClock } from "./clock.js";
import type { Pacer } from "./pacer.js";

/** A timer may fire 1.1 ms late; the loop turns freely for this long before an arrival. */
const NEAR_NS = 2e6;

/** Turns the event loop until the next arrival; sleeps only when that is far. */
export class SpinPacer implements Pacer {
	readonly #arrivalsNs: Float64Array;
	#clock = new RunClock();
	#wake: () => void = () => {};
	#next = 0;
	#paused = false;
	#timer: NodeJS.Timeout | undefined;
	#turn: NodeJS.Immediate | undefined;

	constructor(arrivalsNs: Float64Array) {
		this.#arrivalsNs = arrivalsNs;
	}

	start(epochNs: bigint, wake: () => void): void {
		this.#clock = new RunClock(epochNs);
		this.#wake = wake;
		this.#look();
	}

	progress(next: number): void {
		this.#next = next;
	}

	pause(): void {
		clearTimeout(this.#timer);
		clearImmediate(this.#turn);
		this.#paused = true;
	}

	resume(): void {
		this.#paused = false;
		this.#turn = setImmediate(this.#look);
	}

	stop(): void {
		this.#next = this.#arrivalsNs.length;
		this.pause();
	}

	readonly #look = (): void => {
		let dueNs = this.#arrivalsNs[this.#next];
		if (dueNs === undefined) return;
		if (dueNs <= this.#clock.now()) {
			this.#wake();
			dueNs = this.#arrivalsNs[this.#next];
			if (dueNs === undefined || this.#paused) return;
		}
		const leftNs = dueNs - this.#clock.now();
		if (leftNs > 2 * NEAR_NS) this.#timer = setTimeout(this.#look, (leftNs - NEAR_NS) / 1e6);
		else this.#turn = setImmediate(this.#look);
	};
}

import { CodedError } from "../base/index.js";

/** The server does nothing from `fromMs` on until `toMs`: a long garbage collection, a stolen core, a page fault storm. */
export interface Freeze {
	readonly fromMs: number;
	readonly toMs: number;
}

/** One core in virtual time: it works, it idles, and while it is frozen it does neither. Times are ns from 0. */
export class Core {
	#nowNs = 0;
	#busyNs = 0;
	/** Ascending; those that are over are behind `#nextFreeze`. */
	readonly #freezes: readonly { readonly fromNs: number; readonly toNs: number }[];
	#nextFreeze = 0;

	/** @throws {CodedError} `BAD_FREEZE` when one ends before it starts, or two overlap */
	constructor(freezes: readonly Freeze[] = []) {
		const sorted = [...freezes].sort((a, b) => a.fromMs - b.fromMs);
		let freeMs = 0;
		for (const { fromMs, toMs } of sorted) {
			if (!(fromMs >= freeMs && toMs > fromMs && Number.isFinite(toMs))) {
				throw new CodedError(
					"BAD_FREEZE",
					`a freeze lasts from one moment to a later one and touches no other, got ${fromMs} to ${toMs} ms`,
				);
			}
			freeMs = toMs;
		}
		this.#freezes = sorted.map(({ fromMs, toMs }) => ({ fromNs: fromMs * 1e6, toNs: toMs * 1e6 }));
	}

	get nowNs(): number {
		return this.#nowNs;
	}

	/** Time spent working so far. */
	get busyNs(): number {
		return this.#busyNs;
	}

	/** Works for `ns`; a freeze on the way makes it last that much longer. */
	work(ns: number): void {
		this.#busyNs += ns;
		this.#nowNs += ns;
		for (let freeze = this.#freezes[this.#nextFreeze]; freeze !== undefined && freeze.fromNs < this.#nowNs; ) {
			this.#nowNs += freeze.toNs - freeze.fromNs;
			freeze = this.#freezes[++this.#nextFreeze];
		}
	}

	/** Sleeps until `atNs`, or until the freeze that holds that moment is over. */
	sleepUntil(atNs: number): void {
		this.#nowNs = Math.max(this.#nowNs, atNs);
		for (let freeze = this.#freezes[this.#nextFreeze]; freeze !== undefined && freeze.fromNs <= this.#nowNs; ) {
			this.#nowNs = Math.max(this.#nowNs, freeze.toNs);
			freeze = this.#freezes[++this.#nextFreeze];
		}
	}
}

/** Listens to a caller's signal until its row is settled. An object listener needs no closure of its own. */
export class AbortWatch {
	readonly #signal: AbortSignal;
	readonly #onAbort: (reason: unknown) => void;

	constructor(signal: AbortSignal, onAbort: (reason: unknown) => void) {
		this.#signal = signal;
		this.#onAbort = onAbort;
		signal.addEventListener("abort", this);
	}

	handleEvent(): void {
		this.stop();
		this.#onAbort(this.#signal.reason);
	}

	/** Leaves nothing behind on a signal that outlives the row. */
	stop(): void {
		this.#signal.removeEventListener("abort", this);
	}
}

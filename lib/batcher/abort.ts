/** Where a settled item signs off. */
export interface Watch {
	delete(item: unknown): void;
}

/** The rows (or requests) that one signal can give up, under one listener. */
class AbortWatch<T> implements Watch {
	readonly #signal: AbortSignal;
	readonly #items = new Set<T>();
	readonly #onAbort: (item: T, reason: unknown) => void;
	readonly #onEmpty: (signal: AbortSignal) => void;

	constructor(
		signal: AbortSignal,
		onAbort: (item: T, reason: unknown) => void,
		onEmpty: (signal: AbortSignal) => void,
	) {
		this.#signal = signal;
		this.#onAbort = onAbort;
		this.#onEmpty = onEmpty;
		signal.addEventListener("abort", this);
	}

	add(item: T): void {
		this.#items.add(item);
	}

	/** The item is settled; the last one takes the listener with it, so a long-lived signal keeps nothing. */
	delete(item: T): void {
		this.#items.delete(item);
		if (this.#items.size > 0) return;
		this.#signal.removeEventListener("abort", this);
		this.#onEmpty(this.#signal);
	}

	handleEvent(): void {
		for (const item of [...this.#items]) this.#onAbort(item, this.#signal.reason);
	}
}

/**
 * One listener a signal, however many rows share it: a signal that means "the process is going down" may be given
 * with every row, and Node warns of a leak from the eleventh listener on.
 */
export class AbortWatches<T> {
	readonly #watches = new Map<AbortSignal, AbortWatch<T>>();
	readonly #onAbort: (item: T, reason: unknown) => void;
	readonly #onEmpty = (signal: AbortSignal): void => {
		this.#watches.delete(signal);
	};

	constructor(onAbort: (item: T, reason: unknown) => void) {
		this.#onAbort = onAbort;
	}

	watch(signal: AbortSignal, item: T): Watch {
		let watch = this.#watches.get(signal);
		if (watch === undefined) {
			watch = new AbortWatch(signal, this.#onAbort, this.#onEmpty);
			this.#watches.set(signal, watch);
		}
		watch.add(item);
		return watch;
	}
}

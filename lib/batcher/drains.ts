interface Waiter {
	readonly untilNs: number;
	readonly resolve: () => void;
}

/** Who waits for every row up to a moment to be settled. */
export class Drains {
	/** Rows submitted up to here do not wait for company. */
	untilNs = Number.NEGATIVE_INFINITY;
	#waiters: Waiter[] = [];

	/** Resolves once `settled` is told that no row up to `untilNs` is open. */
	wait(untilNs: number): Promise<void> {
		this.untilNs = untilNs;
		return new Promise((resolve) => {
			this.#waiters.push({ untilNs, resolve });
		});
	}

	get awaited(): boolean {
		return this.#waiters.length > 0;
	}

	/** @param oldestOpenNs when the oldest row that is not settled was submitted; `Infinity` without one */
	settled(oldestOpenNs: number): void {
		const waiters = this.#waiters;
		this.#waiters = waiters.filter((waiter) => waiter.untilNs >= oldestOpenNs);
		for (const waiter of waiters) if (waiter.untilNs < oldestOpenNs) waiter.resolve();
	}
}

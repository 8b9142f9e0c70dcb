/**
 * A first-in, first-out queue in one array. Adding and taking cost O(1) amortised: nothing is ever moved, except
 * when the array doubles or `compact` is called, and both move each item once for the many that came before.
 *
 * The capacity is a power of two, so `& mask` wraps a position round:
 *
 * ```
 *      head                 tail                  tail        head
 *       v                    v                     v           v
 *   [ . a  b  c  d  e  f  g  . ]         [ f  g  h .  .  .  .  a  b ]
 *
 *   length = (tail - head) & mask         the same after wrapping round
 * ```
 *
 * One slot always stays free, or a full ring would look like an empty one.
 */
export class Ring<T> {
	#slots: (T | undefined)[] = new Array<T | undefined>(16).fill(undefined);
	#mask = 15;
	#head = 0;
	#tail = 0;

	get length(): number {
		return (this.#tail - this.#head) & this.#mask;
	}

	push(item: T): void {
		this.#slots[this.#tail] = item;
		this.#tail = (this.#tail + 1) & this.#mask;
		if (this.#tail === this.#head) this.#double();
	}

	/** The oldest item. */
	peek(): T | undefined {
		return this.#slots[this.#head];
	}

	shift(): T | undefined {
		const item = this.#slots[this.#head];
		if (item === undefined) return undefined;
		// A taken slot is cleared, so the ring keeps nothing alive.
		this.#slots[this.#head] = undefined;
		this.#head = (this.#head + 1) & this.#mask;
		return item;
	}

	clear(): void {
		while (this.#head !== this.#tail) this.shift();
	}

	/** Visits every item, oldest first. `visit` must not add or take. */
	forEach(visit: (item: T) => void): void {
		for (let at = this.#head; at !== this.#tail; at = (at + 1) & this.#mask) {
			const item = this.#slots[at];
			if (item !== undefined) visit(item);
		}
	}

	/** Keeps the items for which `keep` says so, in their order. */
	compact(keep: (item: T) => boolean): void {
		let to = this.#head;
		for (let from = this.#head; from !== this.#tail; from = (from + 1) & this.#mask) {
			const item = this.#slots[from];
			if (item === undefined || !keep(item)) continue;
			this.#slots[to] = item;
			to = (to + 1) & this.#mask;
		}
		for (let at = to; at !== this.#tail; at = (at + 1) & this.#mask) this.#slots[at] = undefined;
		this.#tail = to;
	}

	#double(): void {
		const old = this.#slots;
		const size = old.length;
		const slots = new Array<T | undefined>(2 * size).fill(undefined);
		for (let i = 0; i < size; i++) slots[i] = old[(this.#head + i) & this.#mask];
		this.#slots = slots;
		this.#mask = 2 * size - 1;
		this.#head = 0;
		this.#tail = size;
	}
}

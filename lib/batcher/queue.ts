import { DONE, type Entry, IN_MODEL, WAITING } from "./entry.js";
import { Ring } from "./ring.js";

const NEVER = Number.POSITIVE_INFINITY;

/**
 * The rows that wait, oldest first. A row that is given up leaves a dead entry behind, which is skipped when it
 * reaches the head; more dead entries than living ones are swept out, so memory follows the rows that wait.
 *
 * Deadlines: rows without one of their own become overdue in the order in which they came, so the oldest row tells.
 * Of the others only a lower bound is kept, and the queue is searched when the bound is reached.
 */
export class RowQueue<Row, Score> {
	readonly #ring = new Ring<Entry<Row, Score>>();
	readonly #queueDeadlineNs: number;
	#waiting = 0;
	/** No waiting row has an earlier deadline of its own. The row it came from may have left, unless `#exact`. */
	#ownDeadlineNs = NEVER;
	#exact = true;

	/** @param queueDeadlineNs how long a row may wait that has no deadline of its own */
	constructor(queueDeadlineNs: number) {
		this.#queueDeadlineNs = queueDeadlineNs;
	}

	/** Rows waiting. */
	get length(): number {
		return this.#waiting;
	}

	/** The row that has waited longest; the ring's head is always alive. */
	get oldest(): Entry<Row, Score> | undefined {
		return this.#ring.peek();
	}

	/** No waiting row's deadline is earlier; exact when the last `takeOverdue` had a horizon beyond it. */
	get deadlineNs(): number {
		const oldest = this.#ring.peek();
		if (oldest === undefined) return NEVER;
		return Math.min(oldest.submitNs + this.#queueDeadlineNs, this.#ownDeadlineNs);
	}

	push(entry: Entry<Row, Score>): void {
		this.#ring.push(entry);
		this.#waiting++;
		if (entry.ownDeadlineNs !== undefined && entry.ownDeadlineNs < this.#ownDeadlineNs) {
			this.#ownDeadlineNs = entry.ownDeadlineNs;
			this.#exact = true;
		}
	}

	/** Moves the oldest `count` rows into the model. */
	take(count: number): Entry<Row, Score>[] {
		const taken: Entry<Row, Score>[] = [];
		while (taken.length < count) {
			const entry = this.#ring.shift();
			if (entry === undefined) break;
			if (entry.place !== WAITING) continue;
			entry.place = IN_MODEL;
			taken.push(entry);
		}
		this.#left(taken.length);
		return taken;
	}

	/** Gives one waiting row up. */
	drop(entry: Entry<Row, Score>): void {
		entry.place = DONE;
		this.#left(1);
	}

	/** Gives every waiting row up and returns them. */
	dropAll(): readonly Entry<Row, Score>[] {
		const all = this.take(this.#waiting);
		for (const entry of all) entry.place = DONE;
		return all;
	}

	/**
	 * Gives up the rows whose deadline lies before `nowNs` and returns them.
	 *
	 * @param horizonNs up to here `deadlineNs` will be exact
	 */
	dropOverdue(nowNs: number, horizonNs: number): readonly Entry<Row, Score>[] {
		const overdue: Entry<Row, Score>[] = [];
		const oldestAllowedNs = nowNs - this.#queueDeadlineNs;
		for (
			let head = this.#ring.peek();
			head !== undefined && head.submitNs < oldestAllowedNs;
			head = this.#ring.peek()
		) {
			overdue.push(head);
			this.drop(head);
		}
		if (this.#ownDeadlineNs >= nowNs && (this.#exact || this.#ownDeadlineNs > horizonNs)) return overdue;
		this.#ownDeadlineNs = NEVER;
		this.#ring.forEach((entry) => {
			if (entry.place !== WAITING || entry.ownDeadlineNs === undefined) return;
			if (entry.ownDeadlineNs < nowNs) overdue.push(entry);
			else this.#ownDeadlineNs = Math.min(this.#ownDeadlineNs, entry.ownDeadlineNs);
		});
		const nearestNs = this.#ownDeadlineNs;
		for (const entry of overdue) if (entry.place === WAITING) this.drop(entry);
		this.#ownDeadlineNs = nearestNs;
		this.#exact = true;
		return overdue;
	}

	/** Rows have left: keeps the head alive and the dead few, and forgets the deadlines of an empty queue. */
	#left(count: number): void {
		this.#waiting -= count;
		if (this.#waiting === 0) {
			this.#ring.clear();
			this.#ownDeadlineNs = NEVER;
			this.#exact = true;
			return;
		}
		this.#exact = false;
		for (let head = this.#ring.peek(); head !== undefined && head.place !== WAITING; head = this.#ring.peek()) {
			this.#ring.shift();
		}
		const dead = this.#ring.length - this.#waiting;
		if (dead > 32 && dead > this.#waiting) this.#ring.compact((entry) => entry.place === WAITING);
	}
}

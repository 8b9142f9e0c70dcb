import { DONE, type Entry, IN_MODEL, WAITING } from "./entry.js";
import { Ring } from "./ring.js";

const NEVER = Number.POSITIVE_INFINITY;
const NONE: readonly never[] = [];

/**
 * The rows that wait, oldest first. A row that is given up leaves a dead entry behind, which is skipped when it
 * reaches the head; more dead entries than living ones are swept out, so memory follows the rows that wait.
 */
export class RowQueue<Row, Score> {
	readonly #ring = new Ring<Entry<Row, Score>>();
	#waiting = 0;
	/** No waiting row has an earlier deadline. Exact only while `#exact`: the row it came from may have left. */
	#deadlineNs = NEVER;
	#exact = true;

	/** Rows waiting. */
	get length(): number {
		return this.#waiting;
	}

	/** The row that has waited longest; the ring's head is always alive. */
	get oldest(): Entry<Row, Score> | undefined {
		return this.#ring.peek();
	}

	/** A lower bound of the nearest deadline; exact after `takeOverdue` with a moment past the bound. */
	get deadlineNs(): number {
		return this.#deadlineNs;
	}

	push(entry: Entry<Row, Score>): void {
		this.#ring.push(entry);
		this.#waiting++;
		if (entry.deadlineNs < this.#deadlineNs) {
			this.#deadlineNs = entry.deadlineNs;
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
		this.#waiting -= taken.length;
		this.#left();
		return taken;
	}

	/** Gives one waiting row up. */
	drop(entry: Entry<Row, Score>): void {
		entry.place = DONE;
		this.#waiting--;
		this.#left();
	}

	/**
	 * Gives up the rows whose deadline lies before `nowNs` and returns them. Looks at every row only when the bound
	 * says that there may be one, or when a bound that is not exact falls before `horizonNs`.
	 */
	takeOverdue(nowNs: number, horizonNs: number): readonly Entry<Row, Score>[] {
		if (this.#deadlineNs >= nowNs && (this.#exact || this.#deadlineNs > horizonNs)) return NONE;
		const overdue: Entry<Row, Score>[] = [];
		let nearestNs = NEVER;
		this.#ring.forEach((entry) => {
			if (entry.place !== WAITING) return;
			if (entry.deadlineNs < nowNs) overdue.push(entry);
			else if (entry.deadlineNs < nearestNs) nearestNs = entry.deadlineNs;
		});
		for (const entry of overdue) this.drop(entry);
		this.#deadlineNs = nearestNs;
		this.#exact = true;
		return overdue;
	}

	/** Gives up every row and returns them. */
	takeAll(): readonly Entry<Row, Score>[] {
		const all = this.take(this.#waiting);
		for (const entry of all) entry.place = DONE;
		return all;
	}

	/** After rows have left: keeps the head alive, the dead few, and forgets the deadline of an empty queue. */
	#left(): void {
		this.#exact = false;
		for (let head = this.#ring.peek(); head !== undefined && head.place !== WAITING; head = this.#ring.peek()) {
			this.#ring.shift();
		}
		const dead = this.#ring.length - this.#waiting;
		if (dead > 32 && dead > this.#waiting) this.#ring.compact((entry) => entry.place === WAITING);
		if (this.#waiting === 0) {
			this.#deadlineNs = NEVER;
			this.#exact = true;
		}
	}
}

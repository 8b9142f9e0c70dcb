import type { ModelCall } from "./call.js";
import { DONE, type Entry } from "./entry.js";

/** With `isolate`: a row of a failed batch that will get a call of its own. */
export interface Retry<Row, Score> {
	readonly entry: Entry<Row, Score>;
	readonly of: ModelCall<Row, Score>;
}

/** The rows of failed batches that wait for their second try; first failed, first tried again. */
export class Retries<Row, Score> {
	/** Next one last. */
	#waiting: Retry<Row, Score>[] = [];

	get length(): number {
		return this.#waiting.length;
	}

	get entries(): Entry<Row, Score>[] {
		return this.#waiting.map((retry) => retry.entry);
	}

	/** The rows of a failed call that are not settled, in their order. */
	add(call: ModelCall<Row, Score>): void {
		const open = call.entries.filter((entry) => entry.place !== DONE).reverse();
		// Not `unshift(...rows)`: a batch has no upper bound, the stack does (arguments are laid on it).
		this.#waiting = [...open.map((entry) => ({ entry, of: call })), ...this.#waiting];
	}

	next(): Retry<Row, Score> | undefined {
		return this.#waiting.pop();
	}

	/** Gives all of them up. */
	takeAll(): Entry<Row, Score>[] {
		const all = this.entries;
		this.#waiting = [];
		return all;
	}
}

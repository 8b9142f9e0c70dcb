import { Column } from "./column.js";

/** The rows that wait in the simulated batcher, oldest first: two columns and a head that moves. */
export class WaitingRows {
	readonly #request = new Column();
	readonly #submitNs = new Column();
	#head = 0;

	get length(): number {
		return this.#request.length - this.#head;
	}

	get oldestNs(): number {
		return this.#submitNs.at(this.#head);
	}

	push(request: number, submitNs: number): void {
		this.#request.push(request);
		this.#submitNs.push(submitNs);
	}

	shift(): number {
		return this.#request.at(this.#head++);
	}
}

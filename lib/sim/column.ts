/** A list of numbers that grows by doubling; a million entries cost a few milliseconds. */
export class Column {
	#values = new Float64Array(1024);
	#length = 0;

	get length(): number {
		return this.#length;
	}

	push(value: number): void {
		if (this.#length === this.#values.length) {
			const larger = new Float64Array(2 * this.#length);
			larger.set(this.#values);
			this.#values = larger;
		}
		this.#values[this.#length++] = value;
	}

	/** NaN beyond the end. */
	at(index: number): number {
		return index < this.#length ? (this.#values[index] ?? Number.NaN) : Number.NaN;
	}

	set(index: number, value: number): void {
		this.#values[index] = value;
	}

	/** What was pushed, without the spare room. */
	values(): Float64Array {
		return this.#values.subarray(0, this.#length);
	}
}

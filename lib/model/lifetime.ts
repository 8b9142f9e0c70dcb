import { CodedError } from "../base/index.js";

/** Lets calls in until the model is closed, and lets `close` wait for those that are inside. */
export class Lifetime {
	readonly #model: string;
	readonly #release: () => Promise<void>;
	#inside = 0;
	#closing: Promise<void> | undefined;
	#whenEmpty: (() => void) | undefined;

	constructor(model: string, release: () => Promise<void>) {
		this.#model = model;
		this.#release = release;
	}

	/** @throws {CodedError} `MODEL_CLOSED` */
	enter(): void {
		if (this.#closing !== undefined)
			throw new CodedError("MODEL_CLOSED", `the model "${this.#model}" is closed; load it again to score with it`);
		this.#inside += 1;
	}

	leave(): void {
		this.#inside -= 1;
		if (this.#inside === 0) this.#whenEmpty?.();
	}

	/** Closes once, however often it is called. */
	close(): Promise<void> {
		this.#closing ??= this.#empty().then(this.#release);
		return this.#closing;
	}

	#empty(): Promise<void> {
		if (this.#inside === 0) return Promise.resolve();
		return new Promise((resolve) => {
			this.#whenEmpty = resolve;
		});
	}
}

import type { ModelCall } from "./call.js";
import { DONE } from "./entry.js";
import { type BatcherError, modelTimeout } from "./errors.js";
import type { Ledger } from "./ledger.js";
import type { ResolvedOptions } from "./options.js";
import { Retries } from "./retries.js";
import type { Rows } from "./rows.js";
import { countError, isScore, type Scores, scoreIn, slotError } from "./scores.js";

/**
 * What becomes of the rows of a call that is over. Nothing in here throws, whatever the score function returned: what
 * comes after it is the next call.
 */
export class Outcome<Row, Score> {
	/** Rows that get a call of their own. */
	readonly retries = new Retries<Row, Score>();
	readonly #options: ResolvedOptions;
	readonly #rows: Rows<Row, Score>;
	readonly #ledger: Ledger;

	constructor(options: ResolvedOptions, rows: Rows<Row, Score>, ledger: Ledger) {
		this.#options = options;
		this.#rows = rows;
		this.#ledger = ledger;
	}

	/** The call came back with something. */
	returned(call: ModelCall<Row, Score>, scores: Scores<Score>, modelNs: number): void {
		const { entries, batchId } = call;
		const error = countError(scores, entries.length);
		if (error !== undefined) {
			this.failed(call, error, modelNs);
			return;
		}
		let answered = 0;
		let failed = 0;
		for (let i = 0; i < entries.length; i++) {
			const entry = entries[i];
			if (entry === undefined || entry.place === DONE) continue;
			const score = scoreIn(scores, i);
			if (isScore(score)) {
				this.#rows.answer(entry, score, batchId, entries.length);
				answered++;
			} else {
				failed += this.#rows.fail(entry, slotError(score));
			}
		}
		this.#ledger.answered += answered;
		this.#ledger.callEnded(call, modelNs, failed, undefined);
	}

	/** The call failed as a whole. */
	failed(call: ModelCall<Row, Score>, error: BatcherError, modelNs: number): void {
		const again = this.#options.isolate && call.entries.length > 1;
		if (again) this.retries.add(call);
		this.#ledger.callEnded(call, modelNs, again ? 0 : this.#failAll(call, error), error);
	}

	/** The call outlived its time, whether it has come back since or not. */
	timedOut(call: ModelCall<Row, Score>, modelNs: number): BatcherError {
		const error = modelTimeout(this.#options.modelTimeoutNs);
		this.#ledger.modelTimeouts++;
		this.#ledger.callEnded(call, modelNs, this.#failAll(call, error), error);
		return error;
	}

	#failAll(call: ModelCall<Row, Score>, error: BatcherError): number {
		let failed = 0;
		for (const entry of call.entries) failed += this.#rows.fail(entry, error);
		return failed;
	}
}

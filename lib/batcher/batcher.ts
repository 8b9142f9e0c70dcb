import { AbortWatches } from "./abort.js";
import { Admission } from "./admission.js";
import { Dispatcher } from "./dispatcher.js";
import { AnswerEntry, type Entry, ScoreEntry } from "./entry.js";
import { BatcherError } from "./errors.js";
import { RowGroup } from "./group.js";
import { Ledger } from "./ledger.js";
import { type BatcherOptions, type ResolvedOptions, resolveOptions } from "./options.js";
import type { Answer, BatcherStats } from "./report.js";
import { Rows } from "./rows.js";
import type { ScoreFunction } from "./scores.js";
import { shown } from "./shown.js";
import { countRows, NO_OPTIONS, type SubmitOptions } from "./submit-options.js";

/**
 * Collects rows that arrive one by one and scores them together.
 *
 * @example
 * const batcher = new MicroBatcher((rows: readonly number[]) => rows.map((row) => row / 2), { maxBatchSize: 32 });
 * const score = await batcher.submit(21); // 10.5
 */
export class MicroBatcher<Row, Score = number> {
	readonly #options: ResolvedOptions;
	readonly #ledger: Ledger;
	readonly #rows: Rows<Row, Score>;
	readonly #dispatcher: Dispatcher<Row, Score>;
	readonly #admission: Admission<Row, Score>;
	readonly #watches = new AbortWatches<Entry<Row, Score> | RowGroup<Row, Score>>((item, reason) => {
		this.#rows.abort(item instanceof RowGroup ? item.entries : [item], reason);
		this.#dispatcher.settled();
	});

	/** @throws {BatcherError} `BAD_OPTION`, naming the option, its value and its type */
	constructor(score: ScoreFunction<Row, Score>, options: BatcherOptions = {}) {
		if (typeof score !== "function") {
			throw new BatcherError("BAD_OPTION", `score must be a function, got ${shown(score)}`);
		}
		this.#options = resolveOptions(options);
		this.#ledger = new Ledger(this.#options.onBatch, this.#options.maxWaitNs);
		this.#rows = new Rows(this.#options.queueDeadlineNs, this.#ledger);
		this.#dispatcher = new Dispatcher(score, this.#options, this.#rows, this.#ledger);
		this.#admission = new Admission(this.#options, this.#rows, this.#dispatcher.model, this.#ledger);
	}

	/** Resolves with the row's score. Rejects with a `BatcherError`; never throws. */
	submit(row: Row, options: SubmitOptions = NO_OPTIONS): Promise<Score> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#admission.refusal(1, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			const entry = new ScoreEntry<Row, Score>(
				row,
				nowNs,
				this.#admission.ownDeadlineNs(options, nowNs),
				resolve,
				reject,
			);
			if (options.signal !== undefined) entry.watch = this.#watches.watch(options.signal, entry);
			this.#rows.accept(entry);
			this.#dispatcher.added(nowNs);
		});
	}

	/** Like `submit`, and tells which batch made the score. */
	submitDetailed(row: Row, options: SubmitOptions = NO_OPTIONS): Promise<Answer<Score>> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#admission.refusal(1, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			const entry = new AnswerEntry<Row, Score>(
				row,
				nowNs,
				this.#admission.ownDeadlineNs(options, nowNs),
				resolve,
				reject,
			);
			if (options.signal !== undefined) entry.watch = this.#watches.watch(options.signal, entry);
			this.#rows.accept(entry);
			this.#dispatcher.added(nowNs);
		});
	}

	/**
	 * Scores several rows of one caller, in order. Rows are counted, not requests: more than B rows are split over
	 * consecutive batches, and rows of other callers may share a batch with them. All rows are accepted or none. The
	 * first row that fails rejects the promise, and the other rows are given up.
	 */
	async submitMany(rows: readonly Row[], options: SubmitOptions = NO_OPTIONS): Promise<Score[]> {
		const answers = await this.submitManyDetailed(rows, options);
		return answers.map((answer) => answer.score);
	}

	/** Like `submitMany`, and tells for each row which batch made its score. */
	submitManyDetailed(rows: readonly Row[], options: SubmitOptions = NO_OPTIONS): Promise<Answer<Score>[]> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#admission.refusal(countRows(rows), options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			if (rows.length === 0) {
				resolve([]);
				return;
			}
			const group = new RowGroup<Row, Score>(
				rows,
				nowNs,
				this.#admission.ownDeadlineNs(options, nowNs),
				resolve,
				reject,
			);
			if (options.signal !== undefined) group.watch = this.#watches.watch(options.signal, group);
			for (const entry of group.entries) this.#rows.accept(entry);
			this.#dispatcher.added(nowNs);
		});
	}

	/**
	 * Lets everything that waits leave without waiting for company; resolves when every row accepted so far is
	 * settled. New rows are accepted meanwhile.
	 */
	drain(): Promise<void> {
		return this.#dispatcher.drain();
	}

	/**
	 * Accepts no more rows (`CLOSED`) and drains; resolves when every accepted row is settled. With `discard` the
	 * waiting rows are rejected with `CLOSED` at once instead of being scored. May be called again, to discard after
	 * a grace period for example.
	 */
	close(options: { readonly discard?: boolean } = {}): Promise<void> {
		this.#admission.closed = true;
		if (options.discard === true) {
			this.#rows.discardWaiting(() => new BatcherError("CLOSED", "the batcher was closed while this row waited"));
		}
		return this.#dispatcher.drain();
	}

	/** No row is accepted any longer. */
	get closed(): boolean {
		return this.#admission.closed;
	}

	/** False while a call that outlived `modelTimeoutMs` has not come back. */
	get healthy(): boolean {
		return this.#dispatcher.model.healthy;
	}

	/** The state of this moment and the counts since the start. */
	stats(): BatcherStats {
		const { submitted, answered, failed, aborted, overdue, discarded, rejected } = this.#ledger;
		const { batches, rows, reasons, modelTimeouts, onBatchErrors } = this.#ledger;
		return {
			...{ submitted, answered, failed, aborted, overdue, discarded },
			waiting: this.#rows.queue.length,
			inModel: this.#dispatcher.model.open().length,
			rejected: { ...rejected },
			...{ batches, rows, reasons: { ...reasons }, modelTimeouts, onBatchErrors },
			healthy: this.healthy,
			pollNs: this.#options.clock.polling.pollNs,
		};
	}
}

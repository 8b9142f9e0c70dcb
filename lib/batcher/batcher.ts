import { AbortWatches } from "./abort.js";
import { Dispatcher } from "./dispatcher.js";
import { AnswerEntry, type Entry, ScoreEntry } from "./entry.js";
import { aborted, BatcherError, modelStuck } from "./errors.js";
import { RowGroup } from "./group.js";
import { Ledger } from "./ledger.js";
import {
	type BatcherOptions,
	deadlineLimitNs,
	type ResolvedOptions,
	resolveOptions,
	type SubmitOptions,
} from "./options.js";
import type { Answer, BatcherStats } from "./report.js";
import { Rows } from "./rows.js";
import type { ScoreFunction } from "./scores.js";

const NO_OPTIONS: SubmitOptions = {};

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
	readonly #watches = new AbortWatches<Entry<Row, Score> | RowGroup<Row, Score>>((item, reason) => {
		this.#rows.abort(item instanceof RowGroup ? item.entries : [item], reason);
		this.#dispatcher.settled();
	});
	#closed = false;

	/** @throws {BatcherError} `BAD_OPTION`, naming the option, its value and its type */
	constructor(score: ScoreFunction<Row, Score>, options: BatcherOptions = {}) {
		if (typeof score !== "function") {
			throw new BatcherError("BAD_OPTION", `score must be a function, got ${String(score)} (${typeof score})`);
		}
		this.#options = resolveOptions(options);
		this.#ledger = new Ledger(this.#options.onBatch, this.#options.maxWaitNs);
		this.#rows = new Rows(this.#options.queueDeadlineNs, this.#ledger);
		this.#dispatcher = new Dispatcher(score, this.#options, this.#rows, this.#ledger);
	}

	/** Resolves with the row's score. Rejects with a `BatcherError`; never throws. */
	submit(row: Row, options: SubmitOptions = NO_OPTIONS): Promise<Score> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#refusal(1, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			const entry = new ScoreEntry<Row, Score>(row, nowNs, this.#ownDeadlineNs(options, nowNs), resolve, reject);
			if (options.signal !== undefined) entry.watch = this.#watches.watch(options.signal, entry);
			this.#rows.accept(entry);
			this.#dispatcher.added(nowNs);
		});
	}

	/** Like `submit`, and tells which batch made the score. */
	submitDetailed(row: Row, options: SubmitOptions = NO_OPTIONS): Promise<Answer<Score>> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#refusal(1, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			const entry = new AnswerEntry<Row, Score>(row, nowNs, this.#ownDeadlineNs(options, nowNs), resolve, reject);
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
			const refusal = this.#refusal(rows.length, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			if (rows.length === 0) {
				resolve([]);
				return;
			}
			const group = new RowGroup<Row, Score>(rows, nowNs, this.#ownDeadlineNs(options, nowNs), resolve, reject);
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
		this.#closed = true;
		if (options.discard === true) {
			this.#rows.discardWaiting(() => new BatcherError("CLOSED", "the batcher was closed while this row waited"));
		}
		return this.#dispatcher.drain();
	}

	/** No row is accepted any longer. */
	get closed(): boolean {
		return this.#closed;
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

	/** Why `count` more rows are not accepted; undefined when they are. */
	#refusal(count: number, options: SubmitOptions, nowNs: number): BatcherError | undefined {
		if (options === NO_OPTIONS && this.#hasRoom(count)) return undefined;
		const { rejected } = this.#ledger;
		if (options.signal?.aborted === true) return aborted(options.signal.reason);
		if (options.deadlineMs !== undefined) deadlineLimitNs(options.deadlineMs);
		if (this.#closed) {
			rejected.closed += count;
			return new BatcherError("CLOSED", "the batcher is closed; it accepts no more rows");
		}
		if (this.#dispatcher.model.stuck) {
			rejected.stuck += count;
			return modelStuck();
		}
		if (this.#hasRoom(count)) return undefined;
		this.#rows.dropOverdue(nowNs, nowNs);
		if (this.#hasRoom(count)) return undefined;
		const { maxQueue } = this.#options;
		rejected.queueFull += count;
		if (count > maxQueue) {
			return new BatcherError("TOO_MANY_ROWS", `${count} rows in one request, but maxQueue is ${maxQueue}`, {
				hint: "send them in several requests, or raise maxQueue",
			});
		}
		return new BatcherError("QUEUE_FULL", `${this.#rows.queue.length} rows wait already, maxQueue is ${maxQueue}`, {
			hint: "answer 503 with Retry-After; a longer queue would only make everybody wait longer",
		});
	}

	#hasRoom(count: number): boolean {
		if (this.#closed || this.#dispatcher.model.stuck) return false;
		return this.#rows.queue.length + count <= this.#options.maxQueue;
	}

	/** A deadline of the row's own counts when it is earlier than the queue's. */
	#ownDeadlineNs({ deadlineMs }: SubmitOptions, nowNs: number): number | undefined {
		if (deadlineMs === undefined) return undefined;
		return nowNs + Math.min(this.#options.queueDeadlineNs, deadlineLimitNs(deadlineMs));
	}
}

import { DONE, type Entry, WAITING } from "./entry.js";
import { aborted, type BatcherError, overdue } from "./errors.js";
import type { Ledger } from "./ledger.js";
import { RowQueue } from "./queue.js";

/**
 * Every row from its acceptance to its settlement, and the only place where one is settled. Each method first
 * moves the row to `DONE` and then tells its caller, so whatever comes later finds nothing to settle.
 */
export class Rows<Row, Score> {
	readonly queue: RowQueue<Row, Score>;
	readonly #ledger: Ledger;

	/** @param queueDeadlineNs how long a row may wait that has no deadline of its own */
	constructor(queueDeadlineNs: number, ledger: Ledger) {
		this.queue = new RowQueue(queueDeadlineNs);
		this.#ledger = ledger;
	}

	accept(entry: Entry<Row, Score>): void {
		this.queue.push(entry);
		this.#ledger.submitted++;
	}

	/** A row of the model has its score; `ModelRunner` counts them, a batch at a time. */
	answer(entry: Entry<Row, Score>, score: Score, batchId: number, batchSize: number): void {
		entry.place = DONE;
		entry.answer(score, batchId, batchSize);
	}

	/** A row of the model has failed; returns how many rows that settles: 0 when it was settled already. */
	fail(entry: Entry<Row, Score>, error: BatcherError): 0 | 1 {
		if (entry.place === DONE) return 0;
		entry.place = DONE;
		this.#ledger.failed++;
		this.#tell(entry, error);
		return 1;
	}

	/** The caller of these rows has given them up. */
	abort(entries: readonly Entry<Row, Score>[], reason: unknown): void {
		const open = entries.filter((entry) => entry.place !== DONE);
		for (const entry of open) {
			this.#giveUp(entry);
			this.#ledger.aborted++;
		}
		open[0]?.fail(aborted(reason));
	}

	/** Drops the waiting rows whose deadline is past. */
	dropOverdue(nowNs: number, horizonNs: number): void {
		for (const entry of this.queue.dropOverdue(nowNs, horizonNs)) {
			this.#ledger.overdue++;
			this.#ledger.dropped++;
			this.#tell(entry, overdue(nowNs - entry.submitNs));
		}
	}

	/** Drops every waiting row. */
	discardWaiting(error: () => BatcherError): void {
		for (const entry of this.queue.dropAll()) {
			this.#ledger.discarded++;
			this.#ledger.dropped++;
			this.#tell(entry, error());
		}
	}

	/** Rejects the caller, and gives up the other rows of the same request. */
	#tell(entry: Entry<Row, Score>, error: BatcherError): void {
		for (const sibling of entry.fail(error)) {
			if (sibling.place === DONE) continue;
			this.#giveUp(sibling);
			this.#ledger.discarded++;
		}
	}

	/** Nobody waits for this row any longer: out of the queue, or ignored when the model answers. */
	#giveUp(entry: Entry<Row, Score>): void {
		if (entry.place === WAITING) {
			this.queue.drop(entry);
			this.#ledger.dropped++;
		}
		entry.place = DONE;
	}
}

import type { Watch } from "./abort.js";
import { type Entry, type Place, type Reject, type Resolve, WAITING } from "./entry.js";
import type { BatcherError } from "./errors.js";
import type { Answer } from "./report.js";

/** One row of a `submitMany`. */
class GroupEntry<Row, Score> implements Entry<Row, Score> {
	declare place: Place;
	declare readonly row: Row;
	declare readonly submitNs: number;
	declare readonly ownDeadlineNs: number | undefined;
	declare readonly group: RowGroup<Row, Score>;
	/** The row's place in its request. */
	declare readonly index: number;

	constructor(
		row: Row,
		submitNs: number,
		ownDeadlineNs: number | undefined,
		group: RowGroup<Row, Score>,
		index: number,
	) {
		this.place = WAITING;
		this.row = row;
		this.submitNs = submitNs;
		this.ownDeadlineNs = ownDeadlineNs;
		this.group = group;
		this.index = index;
	}

	answer(score: Score, batchId: number, batchSize: number): void {
		this.group.answer(this.index, { score, batchId, batchSize });
	}

	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		return this.group.fail(error);
	}
}

/** A `submitMany`: one promise for all its rows. The first error rejects it, and its other rows are given up. */
export class RowGroup<Row, Score> {
	watch: Watch | undefined;
	readonly entries: readonly Entry<Row, Score>[];
	readonly #answers: Answer<Score>[];
	readonly #resolve: Resolve<Answer<Score>[]>;
	readonly #reject: Reject;
	#missing: number;
	#failed = false;

	constructor(
		rows: readonly Row[],
		submitNs: number,
		ownDeadlineNs: number | undefined,
		resolve: Resolve<Answer<Score>[]>,
		reject: Reject,
	) {
		// `map` would leave out what a sparse array leaves out, and each of its rows wants an entry
		this.entries = Array.from(rows, (row, index) => new GroupEntry(row, submitNs, ownDeadlineNs, this, index));
		this.#answers = new Array<Answer<Score>>(rows.length);
		this.#missing = rows.length;
		this.#resolve = resolve;
		this.#reject = reject;
	}

	answer(index: number, answer: Answer<Score>): void {
		this.#answers[index] = answer;
		this.#missing--;
		if (this.#missing > 0) return;
		this.watch?.delete(this);
		this.#resolve(this.#answers);
	}

	/** Only the first error has rows to give up: to look at them for each of 40,000 that are dropped takes 8 s. */
	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		if (this.#failed) return [];
		this.#failed = true;
		this.watch?.delete(this);
		this.#reject(error);
		return this.entries;
	}
}

import type { AbortWatch } from "./abort.js";
import { Entry, type Reject, type Resolve } from "./entry.js";
import type { BatcherError } from "./errors.js";
import type { Answer } from "./report.js";

/** One row of a `submitMany`. */
export class GroupEntry<Row, Score> extends Entry<Row, Score> {
	declare readonly group: RowGroup<Row, Score>;
	/** The row's place in its request. */
	declare readonly index: number;

	constructor(row: Row, submitNs: number, deadlineNs: number, group: RowGroup<Row, Score>, index: number) {
		super(row, submitNs, deadlineNs);
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
	watch: AbortWatch | undefined;
	readonly #entries: GroupEntry<Row, Score>[];
	readonly #answers: Answer<Score>[];
	readonly #resolve: Resolve<Answer<Score>[]>;
	readonly #reject: Reject;
	#missing: number;

	constructor(
		rows: readonly Row[],
		submitNs: number,
		deadlineNs: number,
		resolve: Resolve<Answer<Score>[]>,
		reject: Reject,
	) {
		this.#entries = rows.map((row, index) => new GroupEntry(row, submitNs, deadlineNs, this, index));
		this.#answers = new Array<Answer<Score>>(rows.length);
		this.#missing = rows.length;
		this.#resolve = resolve;
		this.#reject = reject;
	}

	get entries(): readonly GroupEntry<Row, Score>[] {
		return this.#entries;
	}

	answer(index: number, answer: Answer<Score>): void {
		this.#answers[index] = answer;
		this.#missing--;
		if (this.#missing > 0) return;
		this.watch?.stop();
		this.#resolve(this.#answers);
	}

	fail(error: BatcherError): readonly GroupEntry<Row, Score>[] {
		this.watch?.stop();
		this.#reject(error);
		return this.#entries;
	}
}

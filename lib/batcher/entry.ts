import type { BatcherError } from "./errors.js";
import type { Answer } from "./report.js";

/** Where a row is. It only moves forward, and whoever moves it to `DONE` settles it: nothing is ever settled twice. */
export const WAITING = 0;
export const IN_MODEL = 1;
export const DONE = 2;
type Place = typeof WAITING | typeof IN_MODEL | typeof DONE;

/** Listens to a caller's signal until its row is settled. An object listener needs no closure of its own. */
export class AbortWatch {
	readonly #signal: AbortSignal;
	readonly #onAbort: (reason: unknown) => void;

	constructor(signal: AbortSignal, onAbort: (reason: unknown) => void) {
		this.#signal = signal;
		this.#onAbort = onAbort;
		signal.addEventListener("abort", this);
	}

	handleEvent(): void {
		this.stop();
		this.#onAbort(this.#signal.reason);
	}

	stop(): void {
		this.#signal.removeEventListener("abort", this);
	}
}

/** One row on its way: one object a row, whoever waits for it. */
export abstract class Entry<Row, Score> {
	place: Place = WAITING;
	readonly row: Row;
	/** Rises by one a row. */
	readonly seq: number;
	readonly submitNs: number;
	readonly deadlineNs: number;

	constructor(row: Row, seq: number, submitNs: number, deadlineNs: number) {
		this.row = row;
		this.seq = seq;
		this.submitNs = submitNs;
		this.deadlineNs = deadlineNs;
	}

	/** Hands the score to the caller. Called once, or `fail` is. */
	abstract answer(score: Score, batchId: number, batchSize: number): void;
	/** Hands the error to the caller; returns the rows that nobody waits for any longer because of it. */
	abstract fail(error: BatcherError): readonly Entry<Row, Score>[];
}

type Resolve<T> = (value: T) => void;
type Reject = (error: BatcherError) => void;
const NOBODY: readonly never[] = [];

/** A row of `submit` or `submitDetailed`: it has a promise of its own. */
abstract class SingleEntry<Row, Score> extends Entry<Row, Score> {
	watch: AbortWatch | undefined = undefined;
	abstract readonly reject: Reject;

	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		this.watch?.stop();
		this.reject(error);
		return NOBODY;
	}
}

export class ScoreEntry<Row, Score> extends SingleEntry<Row, Score> {
	readonly reject: Reject;
	readonly #resolve: Resolve<Score>;

	constructor(row: Row, seq: number, submitNs: number, deadlineNs: number, resolve: Resolve<Score>, reject: Reject) {
		super(row, seq, submitNs, deadlineNs);
		this.#resolve = resolve;
		this.reject = reject;
	}

	answer(score: Score): void {
		this.watch?.stop();
		this.#resolve(score);
	}
}

export class AnswerEntry<Row, Score> extends SingleEntry<Row, Score> {
	readonly reject: Reject;
	readonly #resolve: Resolve<Answer<Score>>;

	constructor(
		row: Row,
		seq: number,
		submitNs: number,
		deadlineNs: number,
		resolve: Resolve<Answer<Score>>,
		reject: Reject,
	) {
		super(row, seq, submitNs, deadlineNs);
		this.#resolve = resolve;
		this.reject = reject;
	}

	answer(score: Score, batchId: number, batchSize: number): void {
		this.watch?.stop();
		this.#resolve({ score, batchId, batchSize });
	}
}

/** One row of a `submitMany`. */
export class GroupEntry<Row, Score> extends Entry<Row, Score> {
	readonly group: RowGroup<Row, Score>;
	readonly index: number;

	constructor(row: Row, seq: number, submitNs: number, deadlineNs: number, group: RowGroup<Row, Score>, index: number) {
		super(row, seq, submitNs, deadlineNs);
		this.group = group;
		this.index = index;
	}

	answer(score: Score, batchId: number, batchSize: number): void {
		this.group.answer(this.index, score, batchId, batchSize);
	}

	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		return this.group.fail(error);
	}
}

/** A `submitMany`: one promise for all its rows. It rejects with the first error; its other rows are given up. */
export class RowGroup<Row, Score> {
	watch: AbortWatch | undefined = undefined;
	readonly entries: GroupEntry<Row, Score>[] = [];
	readonly #answers: Answer<Score>[];
	readonly #resolve: Resolve<Answer<Score>[]>;
	readonly #reject: Reject;
	#missing: number;

	constructor(size: number, resolve: Resolve<Answer<Score>[]>, reject: Reject) {
		this.#answers = new Array<Answer<Score>>(size);
		this.#missing = size;
		this.#resolve = resolve;
		this.#reject = reject;
	}

	answer(index: number, score: Score, batchId: number, batchSize: number): void {
		this.#answers[index] = { score, batchId, batchSize };
		this.#missing--;
		if (this.#missing > 0) return;
		this.watch?.stop();
		this.#resolve(this.#answers);
	}

	fail(error: BatcherError): readonly GroupEntry<Row, Score>[] {
		this.watch?.stop();
		this.#reject(error);
		return this.entries;
	}
}

import type { AbortWatch } from "./abort.js";
import type { BatcherError } from "./errors.js";
import type { Answer } from "./report.js";

/** Where a row is. It only moves forward, and whoever moves it to `DONE` settles it: nothing is settled twice. */
export const WAITING = 0;
export const IN_MODEL = 1;
export const DONE = 2;
type Place = typeof WAITING | typeof IN_MODEL | typeof DONE;

export type Resolve<T> = (value: T) => void;
export type Reject = (error: BatcherError) => void;

/**
 * One row on its way: one object a row, whoever waits for it. Its fields are assigned once, in the constructor
 * (`declare` keeps the compiler from initialising them twice), because this is what a row costs.
 */
export abstract class Entry<Row, Score> {
	declare place: Place;
	declare readonly row: Row;
	declare readonly submitNs: number;
	/** The row is overdue after this; `Infinity` = never. */
	declare readonly deadlineNs: number;

	constructor(row: Row, submitNs: number, deadlineNs: number) {
		this.place = WAITING;
		this.row = row;
		this.submitNs = submitNs;
		this.deadlineNs = deadlineNs;
	}

	/** Hands the score to the caller. Called once, or `fail` is. */
	abstract answer(score: Score, batchId: number, batchSize: number): void;
	/** Hands the error to the caller; returns the rows that nobody waits for any longer because of it. */
	abstract fail(error: BatcherError): readonly Entry<Row, Score>[];
}

const NOBODY: readonly never[] = [];

/** A row with a promise of its own. */
export abstract class SingleEntry<Row, Score> extends Entry<Row, Score> {
	declare watch: AbortWatch | undefined;
	declare readonly reject: Reject;

	constructor(row: Row, submitNs: number, deadlineNs: number, reject: Reject) {
		super(row, submitNs, deadlineNs);
		this.watch = undefined;
		this.reject = reject;
	}

	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		this.watch?.stop();
		this.reject(error);
		return NOBODY;
	}
}

/** A row of `submit`. */
export class ScoreEntry<Row, Score> extends SingleEntry<Row, Score> {
	declare readonly resolve: Resolve<Score>;

	constructor(row: Row, submitNs: number, deadlineNs: number, resolve: Resolve<Score>, reject: Reject) {
		super(row, submitNs, deadlineNs, reject);
		this.resolve = resolve;
	}

	answer(score: Score): void {
		this.watch?.stop();
		this.resolve(score);
	}
}

/** A row of `submitDetailed`. */
export class AnswerEntry<Row, Score> extends SingleEntry<Row, Score> {
	declare readonly resolve: Resolve<Answer<Score>>;

	constructor(row: Row, submitNs: number, deadlineNs: number, resolve: Resolve<Answer<Score>>, reject: Reject) {
		super(row, submitNs, deadlineNs, reject);
		this.resolve = resolve;
	}

	answer(score: Score, batchId: number, batchSize: number): void {
		this.watch?.stop();
		this.resolve({ score, batchId, batchSize });
	}
}

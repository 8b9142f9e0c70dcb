import type { Watch } from "./abort.js";
import type { BatcherError } from "./errors.js";
import type { Answer } from "./report.js";

/** Where a row is. It only moves forward, and whoever moves it to `DONE` settles it: nothing is settled twice. */
export const WAITING = 0;
export const IN_MODEL = 1;
export const DONE = 2;
export type Place = typeof WAITING | typeof IN_MODEL | typeof DONE;

/** One row on its way, whoever waits for it. */
export interface Entry<Row, Score> {
	place: Place;
	readonly row: Row;
	readonly submitNs: number;
	/** The row is overdue after this; undefined: the queue's own deadline holds. */
	readonly ownDeadlineNs: number | undefined;
	/** Hands the score to the caller. Called once, or `fail` is. */
	answer(score: Score, batchId: number, batchSize: number): void;
	/** Hands the error to the caller; returns the rows that nobody waits for any longer because of it. */
	fail(error: BatcherError): readonly Entry<Row, Score>[];
}

export type Resolve<T> = (value: T) => void;
export type Reject = (error: BatcherError) => void;

const NOBODY: readonly never[] = [];

// These objects are what a row costs. So the classes are flat and repeat themselves (a base class costs 20 ns a
// row), and their fields are only declared, or they would be written twice.

/** A row of `submit`. */
export class ScoreEntry<Row, Score> implements Entry<Row, Score> {
	declare place: Place;
	declare readonly row: Row;
	declare readonly submitNs: number;
	declare readonly ownDeadlineNs: number | undefined;
	declare readonly resolve: Resolve<Score>;
	declare readonly reject: Reject;
	declare watch: Watch | undefined;

	constructor(row: Row, submitNs: number, ownDeadlineNs: number | undefined, resolve: Resolve<Score>, reject: Reject) {
		this.place = WAITING;
		this.row = row;
		this.submitNs = submitNs;
		this.ownDeadlineNs = ownDeadlineNs;
		this.resolve = resolve;
		this.reject = reject;
		this.watch = undefined;
	}

	answer(score: Score): void {
		this.watch?.delete(this);
		this.resolve(score);
	}

	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		this.watch?.delete(this);
		this.reject(error);
		return NOBODY;
	}
}

/** A row of `submitDetailed`. */
export class AnswerEntry<Row, Score> implements Entry<Row, Score> {
	declare place: Place;
	declare readonly row: Row;
	declare readonly submitNs: number;
	declare readonly ownDeadlineNs: number | undefined;
	declare readonly resolve: Resolve<Answer<Score>>;
	declare readonly reject: Reject;
	declare watch: Watch | undefined;

	constructor(
		row: Row,
		submitNs: number,
		ownDeadlineNs: number | undefined,
		resolve: Resolve<Answer<Score>>,
		reject: Reject,
	) {
		this.place = WAITING;
		this.row = row;
		this.submitNs = submitNs;
		this.ownDeadlineNs = ownDeadlineNs;
		this.resolve = resolve;
		this.reject = reject;
		this.watch = undefined;
	}

	answer(score: Score, batchId: number, batchSize: number): void {
		this.watch?.delete(this);
		this.resolve({ score, batchId, batchSize });
	}

	fail(error: BatcherError): readonly Entry<Row, Score>[] {
		this.watch?.delete(this);
		this.reject(error);
		return NOBODY;
	}
}

import { ModelCall } from "./call.js";
import type { Wake } from "./clock.js";
import { Counters } from "./counters.js";
import { AbortWatch, AnswerEntry, DONE, type Entry, GroupEntry, RowGroup, ScoreEntry, WAITING } from "./entry.js";
import { BatcherError } from "./errors.js";
import { type BatcherOptions, limitNs, type ResolvedOptions, resolveOptions, type SubmitOptions } from "./options.js";
import { type Decision, decide, type FlushReason } from "./policy.js";
import { RowQueue } from "./queue.js";
import type { Answer, BatcherStats, BatchReport } from "./report.js";
import { countError, modelFailed, type ScoreFunction, type Scores, slotError } from "./scores.js";

const NO_OPTIONS: SubmitOptions = {};

interface DrainWaiter {
	readonly seq: number;
	readonly resolve: () => void;
}

/**
 * Collects rows that arrive one by one and scores them together, one model call in flight.
 *
 * @example
 * const batcher = new MicroBatcher((rows: readonly number[]) => rows.map((row) => row / 2), { maxBatchSize: 32 });
 * const score = await batcher.submit(21); // 10.5
 */
export class MicroBatcher<Row, Score = number> {
	readonly #score: ScoreFunction<Row, Score>;
	readonly #options: ResolvedOptions;
	readonly #queue = new RowQueue<Row, Score>();
	readonly #counters = new Counters();
	/** The call in flight. While there is one, no other starts: not even when it has timed out. */
	#call: ModelCall<Row, Score> | undefined;
	/** With `isolate`: rows of a failed batch that get a call of their own, next first, before any waiting row. */
	#retries: Entry<Row, Score>[] = [];
	#retryOf: { readonly batchId: number; readonly reason: FlushReason } | undefined;
	#turnAsked = false;
	#wake: Wake | undefined;
	#wakeAtNs = 0;
	#nextSeq = 0;
	#nextBatchId = 1;
	#closed = false;
	#drainWaiters: DrainWaiter[] = [];
	/** Rows up to this one do not wait for company. */
	#drainSeq = -1;

	/** @throws {BatcherError} `BAD_OPTION`, naming the option, its value and its type */
	constructor(score: ScoreFunction<Row, Score>, options: BatcherOptions = {}) {
		if (typeof score !== "function") {
			throw new BatcherError("BAD_OPTION", `score must be a function, got ${String(score)} (${typeof score})`);
		}
		this.#score = score;
		this.#options = resolveOptions(options);
	}

	/** Resolves with the row's score. Rejects with a `BatcherError`, and never throws. */
	submit(row: Row, options: SubmitOptions = NO_OPTIONS): Promise<Score> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#refuse(1, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			const entry = new ScoreEntry(row, this.#nextSeq++, nowNs, this.#deadlineNs(options, nowNs), resolve, reject);
			if (options.signal !== undefined) {
				entry.watch = new AbortWatch(options.signal, (reason) => this.#abort(entry, reason));
			}
			this.#add(entry, nowNs);
		});
	}

	/** Like `submit`, and tells which batch made the score. */
	submitDetailed(row: Row, options: SubmitOptions = NO_OPTIONS): Promise<Answer<Score>> {
		return new Promise((resolve, reject) => {
			const nowNs = this.#options.clock.nowNs();
			const refusal = this.#refuse(1, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			const entry = new AnswerEntry(row, this.#nextSeq++, nowNs, this.#deadlineNs(options, nowNs), resolve, reject);
			if (options.signal !== undefined) {
				entry.watch = new AbortWatch(options.signal, (reason) => this.#abort(entry, reason));
			}
			this.#add(entry, nowNs);
		});
	}

	/**
	 * Scores several rows of one caller, in order. Rows are counted, not requests: more than B rows are split over
	 * consecutive batches, and rows of other callers may share a batch with them. All or none are accepted. The
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
			const refusal = this.#refuse(rows.length, options, nowNs);
			if (refusal !== undefined) {
				reject(refusal);
				return;
			}
			if (rows.length === 0) {
				resolve([]);
				return;
			}
			const deadlineNs = this.#deadlineNs(options, nowNs);
			const group = new RowGroup<Row, Score>(rows.length, resolve, reject);
			if (options.signal !== undefined) {
				group.watch = new AbortWatch(options.signal, (reason) => {
					for (const entry of group.entries) this.#abort(entry, reason);
				});
			}
			rows.forEach((row, index) => {
				const entry = new GroupEntry(row, this.#nextSeq++, nowNs, deadlineNs, group, index);
				group.entries.push(entry);
				this.#add(entry, nowNs);
			});
		});
	}

	/**
	 * Lets everything that waits leave without waiting for company; resolves when every row accepted before the call
	 * is settled. New rows are accepted meanwhile.
	 */
	drain(): Promise<void> {
		const seq = this.#nextSeq - 1;
		return new Promise((resolve) => {
			this.#drainSeq = seq;
			this.#drainWaiters.push({ seq, resolve });
			this.#checkDrained();
			if (this.#queue.length > 0 && !this.#busy) this.#askTurn();
		});
	}

	/**
	 * Accepts no more rows (`CLOSED`) and drains; resolves when every accepted row is settled. With `discard` the
	 * waiting rows are rejected with `CLOSED` at once instead of being scored. May be called again.
	 */
	close(options: { readonly discard?: boolean } = {}): Promise<void> {
		this.#closed = true;
		if (options.discard === true) {
			this.#discardWaiting(() => new BatcherError("CLOSED", "the batcher was closed while this row waited"));
		}
		return this.drain();
	}

	/** False while a call that outlived `modelTimeoutMs` has not come back. */
	get healthy(): boolean {
		return this.#call?.timedOut !== true;
	}

	/** No row is accepted any longer. */
	get closed(): boolean {
		return this.#closed;
	}

	stats(): BatcherStats {
		const { queueFull, closed, stuck, dropped: _, reasons, ...counts } = this.#counters;
		let inModel = this.#call?.unsettled ?? 0;
		for (const entry of this.#retries) if (entry.place !== DONE) inModel++;
		return {
			...counts,
			reasons: { ...reasons },
			rejected: { queueFull, closed, stuck },
			waiting: this.#queue.length,
			inModel,
			healthy: this.healthy,
			pollNs: this.#options.clock.polling.pollNs,
		};
	}

	get #busy(): boolean {
		return this.#call !== undefined || this.#retries.length > 0;
	}

	/** Why `rows` more rows are not accepted; undefined when they are. */
	#refuse(rows: number, options: SubmitOptions, nowNs: number): BatcherError | undefined {
		const { maxQueue } = this.#options;
		if (options.signal?.aborted === true) return aborted(options.signal.reason);
		if (options.deadlineMs !== undefined) {
			try {
				limitNs("deadlineMs", options.deadlineMs);
			} catch (error) {
				if (error instanceof BatcherError) return error;
				throw error;
			}
		}
		if (this.#closed) {
			this.#counters.closed += rows;
			return new BatcherError("CLOSED", "the batcher is closed; it accepts no more rows");
		}
		if (!this.healthy) {
			this.#counters.stuck += rows;
			return stuck();
		}
		if (this.#queue.length + rows <= maxQueue) return undefined;
		this.#dropOverdue(nowNs);
		if (this.#queue.length + rows <= maxQueue) return undefined;
		this.#counters.queueFull += rows;
		if (rows > maxQueue) {
			return new BatcherError("TOO_MANY_ROWS", `${rows} rows in one request, but maxQueue is ${maxQueue}`, {
				hint: "send them in several requests, or raise maxQueue",
			});
		}
		return new BatcherError("QUEUE_FULL", `${this.#queue.length} rows wait already, maxQueue is ${maxQueue}`, {
			hint: "answer 503 with Retry-After; a longer queue would only make everybody wait longer",
		});
	}

	#deadlineNs(options: SubmitOptions, nowNs: number): number {
		const { queueDeadlineNs } = this.#options;
		if (options.deadlineMs === undefined) return nowNs + queueDeadlineNs;
		return nowNs + Math.min(queueDeadlineNs, limitNs("deadlineMs", options.deadlineMs));
	}

	#add(entry: Entry<Row, Score>, nowNs: number): void {
		this.#queue.push(entry);
		this.#counters.submitted++;
		if (!this.#turnAsked) this.#follow(this.#decide(nowNs), nowNs, false);
	}

	/**
	 * The one place where rows leave. It runs only in a turn of the clock, so between two batches the loop reads its
	 * sockets: rows that came in while the model ran can join, and no stream of rows can starve the sockets.
	 */
	readonly #turn = (): void => {
		this.#turnAsked = false;
		if (this.#call === undefined && this.#retryNext()) return;
		const nowNs = this.#options.clock.nowNs();
		this.#dropOverdue(nowNs);
		this.#follow(this.#decide(nowNs), nowNs, true);
	};

	#askTurn(): void {
		if (this.#turnAsked) return;
		this.#turnAsked = true;
		this.#options.clock.defer(this.#turn);
	}

	#decide(nowNs: number): Decision {
		const { oldest } = this.#queue;
		return decide(
			{
				nowNs,
				length: this.#queue.length,
				oldestNs: oldest?.submitNs ?? nowNs,
				deadlineNs: this.#queue.deadlineNs,
				busy: this.#busy,
				draining: oldest !== undefined && oldest.seq <= this.#drainSeq,
			},
			this.#options,
		);
	}

	#follow(decision: Decision, nowNs: number, inTurn: boolean): void {
		if (decision.action === "sleep") {
			this.#sleepUntil(decision.untilNs);
		} else if (inTurn) {
			this.#launch(this.#queue.take(decision.rows), decision.reason, nowNs);
		} else {
			this.#askTurn();
		}
	}

	/** One wake is armed at most. An earlier one is kept: it looks again when it rings. */
	#sleepUntil(untilNs: number): void {
		if (untilNs === Number.POSITIVE_INFINITY) return;
		if (this.#wake !== undefined) {
			if (this.#wakeAtNs <= untilNs) return;
			this.#wake.cancel();
		}
		this.#wakeAtNs = untilNs;
		this.#wake = this.#options.clock.wakeAt(untilNs, this.#onWake, this.#options.fineWait && !this.#busy);
	}

	readonly #onWake = (): void => {
		this.#wake = undefined;
		if (!this.#turnAsked) this.#turn();
	};

	#cancelWake(): void {
		this.#wake?.cancel();
		this.#wake = undefined;
	}

	#launch(entries: readonly Entry<Row, Score>[], reason: FlushReason, nowNs: number, retryOf?: number): void {
		const { clock, modelTimeoutNs, fineWait } = this.#options;
		if (fineWait || this.#queue.length === 0) this.#cancelWake();
		const call = new ModelCall(this.#nextBatchId++, entries, reason, nowNs, retryOf);
		this.#call = call;
		const rows = entries.map((entry) => entry.row);
		try {
			const result = this.#score(rows, call);
			if (!isPromiseLike(result)) {
				this.#end(call, result, undefined);
				return;
			}
			if (modelTimeoutNs !== Number.POSITIVE_INFINITY) {
				call.timeout = clock.wakeAt(nowNs + modelTimeoutNs + 1, () => this.#timeOut(call), false);
			}
			Promise.resolve(result).then(
				(scores) => this.#end(call, scores, undefined),
				(cause: unknown) => this.#end(call, undefined, modelFailed(cause)),
			);
		} catch (cause) {
			this.#end(call, undefined, modelFailed(cause));
		}
	}

	#end(call: ModelCall<Row, Score>, scores: Scores<Score> | undefined, error: BatcherError | undefined): void {
		call.timeout?.cancel();
		if (!call.timedOut) {
			const modelNs = this.#options.clock.nowNs() - call.startNs;
			if (modelNs > this.#options.modelTimeoutNs) this.#failTimedOut(call, modelNs);
			else this.#settle(call, scores, error ?? countError(scores, call.entries.length), modelNs);
		}
		this.#call = undefined;
		this.#checkDrained();
		if (this.#queue.length > 0 || this.#retries.length > 0) this.#askTurn();
	}

	#settle(
		call: ModelCall<Row, Score>,
		scores: Scores<Score> | undefined,
		error: BatcherError | undefined,
		modelNs: number,
	): void {
		const { entries } = call;
		let failed = 0;
		if (error !== undefined || scores === undefined) {
			const reason = error ?? modelFailed(undefined);
			if (this.#options.isolate && entries.length > 1) {
				this.#retries = entries.filter((entry) => entry.place !== DONE);
				this.#retryOf = { batchId: call.batchId, reason: call.reason };
			} else {
				for (const entry of entries) if (this.#fail(entry, reason)) failed++;
			}
			this.#report(call, modelNs, failed, reason);
			return;
		}
		for (let i = 0; i < entries.length; i++) {
			const entry = entries[i];
			if (entry === undefined || entry.place === DONE) continue;
			const score = scores[i];
			const problem = slotError(score);
			if (problem !== undefined || score === undefined || score instanceof Error) {
				if (this.#fail(entry, problem ?? modelFailed(score))) failed++;
				continue;
			}
			entry.place = DONE;
			this.#counters.answered++;
			entry.answer(score, call.batchId, entries.length);
		}
		this.#report(call, modelNs, failed, undefined);
	}

	/** The model is late: its rows, and all that wait behind it, are told now. The call's return is still awaited. */
	#timeOut(call: ModelCall<Row, Score>): void {
		call.timedOut = true;
		const modelNs = this.#options.clock.nowNs() - call.startNs;
		const error = this.#failTimedOut(call, modelNs);
		call.abort(error);
		for (const entry of this.#retries) this.#fail(entry, stuck());
		this.#retries = [];
		this.#discardWaiting(stuck);
		this.#checkDrained();
	}

	#failTimedOut(call: ModelCall<Row, Score>, modelNs: number): BatcherError {
		const limitMs = this.#options.modelTimeoutNs / 1e6;
		const error = new BatcherError("MODEL_TIMEOUT", `the model call took longer than modelTimeoutMs (${limitMs} ms)`);
		this.#counters.modelTimeouts++;
		let failed = 0;
		for (const entry of call.entries) if (this.#fail(entry, error)) failed++;
		this.#report(call, modelNs, failed, error);
		return error;
	}

	/** Starts the second try of the next row that still wants one. */
	#retryNext(): boolean {
		for (let entry = this.#retries.shift(); entry !== undefined; entry = this.#retries.shift()) {
			if (entry.place === DONE || this.#retryOf === undefined) continue;
			this.#launch([entry], this.#retryOf.reason, this.#options.clock.nowNs(), this.#retryOf.batchId);
			return true;
		}
		return false;
	}

	/** Settles a row of the model with an error; false when it was settled already. */
	#fail(entry: Entry<Row, Score>, error: BatcherError): boolean {
		if (entry.place === DONE) return false;
		entry.place = DONE;
		this.#counters.failed++;
		this.#tell(entry, error);
		return true;
	}

	#abort(entry: Entry<Row, Score>, reason: unknown): void {
		if (entry.place === DONE) return;
		this.#giveUp(entry);
		this.#counters.aborted++;
		this.#tell(entry, aborted(reason));
		this.#checkDrained();
	}

	#dropOverdue(nowNs: number): void {
		const horizonNs = this.#busy ? nowNs : nowNs + this.#options.slackNs;
		for (const entry of this.#queue.takeOverdue(nowNs, horizonNs)) {
			this.#counters.overdue++;
			this.#counters.dropped++;
			const waitedMs = (nowNs - entry.submitNs) / 1e6;
			this.#tell(
				entry,
				new BatcherError("QUEUE_DEADLINE", `the row's deadline passed after ${waitedMs.toFixed(1)} ms in the queue`),
			);
		}
		this.#checkDrained();
	}

	#discardWaiting(error: () => BatcherError): void {
		for (const entry of this.#queue.takeAll()) {
			this.#counters.discarded++;
			this.#counters.dropped++;
			this.#tell(entry, error());
		}
		this.#cancelWake();
	}

	/** Rejects the row's caller and gives up the rows of the same request. */
	#tell(entry: Entry<Row, Score>, error: BatcherError): void {
		for (const sibling of entry.fail(error)) {
			if (sibling.place === DONE) continue;
			this.#giveUp(sibling);
			this.#counters.discarded++;
		}
	}

	/** A row that nobody waits for any longer: out of the queue, or ignored when the model answers. */
	#giveUp(entry: Entry<Row, Score>): void {
		if (entry.place === WAITING) {
			this.#queue.drop(entry);
			this.#counters.dropped++;
			if (this.#queue.length === 0) this.#cancelWake();
		}
		entry.place = DONE;
	}

	#report(call: ModelCall<Row, Score>, modelNs: number, failed: number, error: BatcherError | undefined): void {
		const counters = this.#counters;
		const size = call.entries.length;
		counters.batches++;
		counters.rows += size;
		counters.reasons[call.reason]++;
		const { dropped } = counters;
		counters.dropped = 0;
		const { onBatch, maxWaitNs } = this.#options;
		if (onBatch === undefined) return;
		const report: BatchReport = {
			batchId: call.batchId,
			size,
			reason: call.reason,
			firstSubmitNs: call.firstSubmitNs,
			askedWaitNs: maxWaitNs,
			waitNs: call.startNs - call.firstSubmitNs,
			modelNs,
			dropped,
			failed,
			...(error === undefined ? {} : { error }),
			...(call.retryOf === undefined ? {} : { retryOf: call.retryOf }),
		};
		try {
			onBatch(report);
		} catch (problem) {
			counters.onBatchErrors++;
			if (counters.onBatchErrors === 1) {
				process.emitWarning(`onBatch threw: ${String(problem)}`, { code: "BATCHER_ON_BATCH" });
			}
		}
	}

	#checkDrained(): void {
		if (this.#drainWaiters.length === 0) return;
		let openSeq = this.#queue.oldest?.seq ?? Number.POSITIVE_INFINITY;
		const held = [...(this.#call?.entries ?? []), ...this.#retries];
		for (const entry of held) if (entry.place !== DONE) openSeq = Math.min(openSeq, entry.seq);
		const waiters = this.#drainWaiters;
		this.#drainWaiters = waiters.filter((waiter) => waiter.seq >= openSeq);
		for (const waiter of waiters) if (waiter.seq < openSeq) waiter.resolve();
	}
}

function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
	return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function aborted(cause: unknown): BatcherError {
	return new BatcherError("ABORTED", "the caller gave this row up", { cause });
}

function stuck(): BatcherError {
	return new BatcherError("MODEL_STUCK", "a model call outlived modelTimeoutMs and has not come back", {
		hint: "answer 503; if it stays so, restart the process",
	});
}

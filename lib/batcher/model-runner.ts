import { ModelCall } from "./call.js";
import { DONE, type Entry } from "./entry.js";
import { type BatcherError, modelStuck, modelTimeout } from "./errors.js";
import type { Ledger } from "./ledger.js";
import type { ResolvedOptions } from "./options.js";
import type { FlushReason } from "./policy.js";
import type { Rows } from "./rows.js";
import { countError, isPromiseLike, modelFailed, type ScoreFunction, type Scores, slotError } from "./scores.js";

/** With `isolate`: a row of a failed batch that will get a call of its own. */
interface Retry<Row, Score> {
	readonly entry: Entry<Row, Score>;
	readonly of: ModelCall<Row, Score>;
}

/** Runs the model calls and hands out what comes back, whatever comes back. */
export class ModelRunner<Row, Score> {
	readonly #score: ScoreFunction<Row, Score>;
	readonly #options: ResolvedOptions;
	readonly #rows: Rows<Row, Score>;
	readonly #ledger: Ledger;
	readonly #onFree: () => void;
	/** Oldest first. A call that has timed out keeps its place until it comes back. */
	readonly #calls: ModelCall<Row, Score>[] = [];
	#timedOut = 0;
	/** Next one last. They go before any waiting row, one after the other. */
	#retries: Retry<Row, Score>[] = [];
	#nextBatchId = 1;

	/** @param onFree a call has come back, so another may start */
	constructor(
		score: ScoreFunction<Row, Score>,
		options: ResolvedOptions,
		rows: Rows<Row, Score>,
		ledger: Ledger,
		onFree: () => void,
	) {
		this.#score = score;
		this.#options = options;
		this.#rows = rows;
		this.#ledger = ledger;
		this.#onFree = onFree;
	}

	/** No row may leave the queue. */
	get busy(): boolean {
		return this.#full || this.#retries.length > 0;
	}

	/** No call is past its time. */
	get healthy(): boolean {
		return this.#timedOut === 0;
	}

	/** Every place is held by a call that is past its time: no row can be scored. */
	get stuck(): boolean {
		return this.#timedOut >= this.#options.maxInFlight;
	}

	/** The rows that left the queue and are not settled. */
	open(): Entry<Row, Score>[] {
		const called = this.#calls.flatMap((call) => call.entries);
		const retried = this.#retries.map((retry) => retry.entry);
		return [...called, ...retried].filter((entry) => entry.place !== DONE);
	}

	/** When the next call will be past its time; `Infinity` when none can. */
	get nextTimeoutNs(): number {
		const call = this.#timedOut === 0 ? this.#calls[0] : this.#calls.find((each) => !each.timedOut);
		return call === undefined ? Number.POSITIVE_INFINITY : call.startNs + this.#options.modelTimeoutNs + 1;
	}

	get #full(): boolean {
		return this.#calls.length >= this.#options.maxInFlight;
	}

	/**
	 * Starts one model call; says whether it is still in flight. The score function may call the batcher back, so
	 * everything is in place before it runs.
	 */
	launch(entries: readonly Entry<Row, Score>[], reason: FlushReason, nowNs: number, retryOf?: number): boolean {
		const call = new ModelCall(this.#nextBatchId++, entries, reason, nowNs, this.#ledger.takeDropped(), retryOf);
		this.#calls.push(call);
		const rows = entries.map((entry) => entry.row);
		try {
			const result = this.#score(rows, call);
			if (!isPromiseLike(result)) {
				this.#ended(call, result, undefined);
				return false;
			}
			Promise.resolve(result).then(
				(scores) => this.#ended(call, scores, undefined),
				(cause: unknown) => this.#ended(call, undefined, modelFailed(cause)),
			);
			return true;
		} catch (cause) {
			this.#ended(call, undefined, modelFailed(cause));
			return false;
		}
	}

	/**
	 * Starts the second try of the rows that want one, as far as there is room. Says whether one of them answered in its
	 * own stack: then it has held the loop, and no other call may start in this turn.
	 */
	launchRetries(nowNs: number): boolean {
		while (!this.#full) {
			const retry = this.#retries.pop();
			if (retry === undefined) return false;
			const { entry, of } = retry;
			if (entry.place !== DONE && !this.launch([entry], of.reason, nowNs, of.batchId)) return true;
		}
		return false;
	}

	/**
	 * Tells the rows of calls that are past their time; the return of those calls is still awaited. Once nothing can
	 * be scored any more, all rows behind them are told too: better an error now than a wait without end.
	 */
	failOverdueCalls(nowNs: number): void {
		if (nowNs < this.nextTimeoutNs) return;
		for (const call of this.#calls) {
			if (call.timedOut || nowNs - call.startNs <= this.#options.modelTimeoutNs) continue;
			call.timedOut = true;
			this.#timedOut++;
			call.abort(this.#failTimedOut(call, nowNs - call.startNs));
		}
		if (!this.stuck) return;
		for (const { entry } of this.#retries) this.#rows.fail(entry, modelStuck());
		this.#retries = [];
		this.#rows.discardWaiting(modelStuck);
	}

	#ended(call: ModelCall<Row, Score>, scores: Scores<Score> | undefined, error: BatcherError | undefined): void {
		this.#calls.splice(this.#calls.indexOf(call), 1);
		const modelNs = this.#options.clock.nowNs() - call.startNs;
		if (call.timedOut) this.#timedOut--;
		else if (modelNs > this.#options.modelTimeoutNs) this.#failTimedOut(call, modelNs);
		else this.#handOut(call, scores, error ?? countError(scores, call.entries.length), modelNs);
		this.#onFree();
	}

	#handOut(
		call: ModelCall<Row, Score>,
		scores: Scores<Score> | undefined,
		error: BatcherError | undefined,
		modelNs: number,
	): void {
		if (error !== undefined || scores === undefined) {
			this.#failBatch(call, error ?? modelFailed(undefined), modelNs);
			return;
		}
		const { entries, batchId } = call;
		let answered = 0;
		let failed = 0;
		for (let i = 0; i < entries.length; i++) {
			const entry = entries[i];
			if (entry === undefined || entry.place === DONE) continue;
			const score = scores[i];
			if (score === undefined || score instanceof Error || (typeof score === "number" && !Number.isFinite(score))) {
				failed += this.#rows.fail(entry, slotError(score));
			} else {
				this.#rows.answer(entry, score, batchId, entries.length);
				answered++;
			}
		}
		this.#ledger.answered += answered;
		this.#ledger.callEnded(call, modelNs, failed, undefined);
	}

	#failBatch(call: ModelCall<Row, Score>, error: BatcherError, modelNs: number): void {
		let failed = 0;
		if (this.#options.isolate && call.entries.length > 1) {
			const open = call.entries.filter((entry) => entry.place !== DONE);
			this.#retries.unshift(...open.reverse().map((entry) => ({ entry, of: call })));
		} else {
			for (const entry of call.entries) failed += this.#rows.fail(entry, error);
		}
		this.#ledger.callEnded(call, modelNs, failed, error);
	}

	#failTimedOut(call: ModelCall<Row, Score>, modelNs: number): BatcherError {
		const error = modelTimeout(this.#options.modelTimeoutNs);
		this.#ledger.modelTimeouts++;
		let failed = 0;
		for (const entry of call.entries) failed += this.#rows.fail(entry, error);
		this.#ledger.callEnded(call, modelNs, failed, error);
		return error;
	}
}

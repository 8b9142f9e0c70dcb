import { ModelCall } from "./call.js";
import { DONE, type Entry } from "./entry.js";
import { modelStuck } from "./errors.js";
import type { Ledger } from "./ledger.js";
import type { ResolvedOptions } from "./options.js";
import { Outcome } from "./outcome.js";
import type { FlushReason } from "./policy.js";
import type { Rows } from "./rows.js";
import { isPromiseLike, modelFailed, type ScoreFunction, type Scores } from "./scores.js";

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
	/** Its retries go before any waiting row, one after the other. */
	readonly #outcome: Outcome<Row, Score>;
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
		this.#outcome = new Outcome(options, rows, ledger);
		this.#onFree = onFree;
	}

	/** No row may leave the queue. */
	get busy(): boolean {
		return this.#full || this.#outcome.retries.length > 0;
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
		return [...called, ...this.#outcome.retries.entries].filter((entry) => entry.place !== DONE);
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
		const returned = (scores: Scores<Score>) => this.#ended(call, (ns) => this.#outcome.returned(call, scores, ns));
		const failed = (cause: unknown) => this.#ended(call, (ns) => this.#outcome.failed(call, modelFailed(cause), ns));
		let scores: Scores<Score>;
		try {
			const result = this.#score(rows, call);
			if (isPromiseLike(result)) {
				Promise.resolve(result).then(returned, failed);
				return true;
			}
			scores = result;
		} catch (cause) {
			failed(cause);
			return false;
		}
		returned(scores);
		return false;
	}

	/**
	 * Starts the second try of the rows that want one, as far as there is room. Says whether one of them answered in its
	 * own stack: then it has held the loop, and no other call may start in this turn.
	 */
	launchRetries(nowNs: number): boolean {
		while (!this.#full) {
			const retry = this.#outcome.retries.next();
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
			call.abort(this.#outcome.timedOut(call, nowNs - call.startNs));
		}
		if (!this.stuck) return;
		for (const entry of this.#outcome.retries.takeAll()) this.#rows.fail(entry, modelStuck());
		this.#rows.discardWaiting(modelStuck);
	}

	#ended(call: ModelCall<Row, Score>, hand: (modelNs: number) => void): void {
		this.#calls.splice(this.#calls.indexOf(call), 1);
		const modelNs = this.#options.clock.nowNs() - call.startNs;
		if (call.timedOut) this.#timedOut--;
		else if (modelNs > this.#options.modelTimeoutNs) this.#outcome.timedOut(call, modelNs);
		else hand(modelNs);
		this.#onFree();
	}
}

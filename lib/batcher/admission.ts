import { aborted, BatcherError, modelStuck } from "./errors.js";
import type { Ledger } from "./ledger.js";
import type { ModelRunner } from "./model-runner.js";
import type { ResolvedOptions } from "./options.js";
import type { Rows } from "./rows.js";
import { checkSignal, deadlineLimitNs, NO_OPTIONS, type SubmitOptions } from "./submit-options.js";

/** Says which rows get in. What is refused here never touched the queue. */
export class Admission<Row, Score> {
	/** No row is accepted any longer. */
	closed = false;
	readonly #options: ResolvedOptions;
	readonly #rows: Rows<Row, Score>;
	readonly #model: ModelRunner<Row, Score>;
	readonly #ledger: Ledger;

	constructor(options: ResolvedOptions, rows: Rows<Row, Score>, model: ModelRunner<Row, Score>, ledger: Ledger) {
		this.#options = options;
		this.#rows = rows;
		this.#model = model;
		this.#ledger = ledger;
	}

	/**
	 * Why `count` more rows are not accepted; undefined when they are.
	 *
	 * @throws {BatcherError} `BAD_OPTION`
	 */
	refusal(count: number, options: SubmitOptions, nowNs: number): BatcherError | undefined {
		if (options === NO_OPTIONS && this.#hasRoom(count)) return undefined;
		checkSignal(options);
		deadlineLimitNs(options);
		const { rejected } = this.#ledger;
		if (options.signal?.aborted === true) return aborted(options.signal.reason);
		if (this.closed) {
			rejected.closed += count;
			return new BatcherError("CLOSED", "the batcher is closed; it accepts no more rows");
		}
		if (this.#model.stuck) {
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

	/** When a row of these options is overdue. A deadline of its own counts when it is earlier than the queue's. */
	ownDeadlineNs(options: SubmitOptions, nowNs: number): number | undefined {
		const limitNs = deadlineLimitNs(options);
		return limitNs === undefined ? undefined : nowNs + Math.min(this.#options.queueDeadlineNs, limitNs);
	}

	#hasRoom(count: number): boolean {
		if (this.closed || this.#model.stuck) return false;
		return this.#rows.queue.length + count <= this.#options.maxQueue;
	}
}

import { FLUSH_REASONS, type FlushReason } from "../batcher/index.js";
import { Column } from "./column.js";

/** How a simulated request ended. */
export const SIM_OUTCOMES = ["answered", "refused", "overdue"] as const;
export type SimOutcome = (typeof SIM_OUTCOMES)[number];

/** Everything that happened, in columns: one entry a request in the order of arrival, one a batch in the order of leaving. */
export interface QueueHistory {
	/** When each request arrived, ns from 0. */
	readonly arrivedNs: Float64Array;
	/** When its answer (or its error) was there. */
	readonly answeredNs: Float64Array;
	/** answered - arrived: counts from the arrival, so every kind of waiting is in it. */
	readonly latencyNs: Float64Array;
	/** Index into SIM_OUTCOMES. */
	readonly outcome: Uint8Array;
	/** Number of its batch, from 1; 0 without a batcher, or when it never left. */
	readonly batchId: Uint32Array;
	readonly batches: {
		readonly size: Uint16Array;
		/** Index into FLUSH_REASONS of batching-lab/batcher. */
		readonly reason: Uint8Array;
		readonly firstSubmitNs: Float64Array;
		/** When it left the queue. */
		readonly leftNs: Float64Array;
		/** From leaving the queue to the scores. */
		readonly modelNs: Float64Array;
	};
	/** When the last request had ended. */
	readonly endNs: number;
	/** Core time worked; busyNs / endNs is the core's utilisation. */
	readonly busyNs: number;
}

/** Collects a `QueueHistory`. */
export class HistoryLog {
	readonly #arrived = new Column();
	readonly #answered = new Column();
	readonly #outcome = new Column();
	readonly #batchId = new Column();
	readonly #size = new Column();
	readonly #reason = new Column();
	readonly #firstSubmit = new Column();
	readonly #left = new Column();
	readonly #model = new Column();

	/** Returns the request's number, from 0. */
	arrived(atNs: number): number {
		this.#arrived.push(atNs);
		this.#answered.push(Number.NaN);
		this.#outcome.push(0);
		this.#batchId.push(0);
		return this.#arrived.length - 1;
	}

	ended(request: number, atNs: number, outcome: SimOutcome): void {
		this.#answered.set(request, atNs);
		this.#outcome.set(request, SIM_OUTCOMES.indexOf(outcome));
	}

	/** Returns the batch's number, from 1. */
	left(size: number, reason: FlushReason, firstSubmitNs: number, leftNs: number): number {
		this.#size.push(size);
		this.#reason.push(FLUSH_REASONS.indexOf(reason));
		this.#firstSubmit.push(firstSubmitNs);
		this.#left.push(leftNs);
		this.#model.push(Number.NaN);
		return this.#size.length;
	}

	joined(request: number, batchId: number): void {
		this.#batchId.set(request, batchId);
	}

	scored(batchId: number, atNs: number): void {
		this.#model.set(batchId - 1, atNs - this.#left.at(batchId - 1));
	}

	history(endNs: number, busyNs: number): QueueHistory {
		const arrivedNs = this.#arrived.values();
		const answeredNs = this.#answered.values();
		return {
			arrivedNs,
			answeredNs,
			latencyNs: answeredNs.map((atNs, request) => atNs - (arrivedNs[request] ?? Number.NaN)),
			outcome: Uint8Array.from(this.#outcome.values()),
			batchId: Uint32Array.from(this.#batchId.values()),
			batches: {
				size: Uint16Array.from(this.#size.values()),
				reason: Uint8Array.from(this.#reason.values()),
				firstSubmitNs: this.#firstSubmit.values(),
				leftNs: this.#left.values(),
				modelNs: this.#model.values(),
			},
			endNs,
			busyNs,
		};
	}
}

import type { Wake } from "./clock.js";
import { DONE, type Entry } from "./entry.js";
import type { FlushReason } from "./policy.js";
import type { CallContext } from "./scores.js";

/** One model call, from the moment its rows left the queue. */
export class ModelCall<Row, Score> implements CallContext {
	readonly batchId: number;
	readonly entries: readonly Entry<Row, Score>[];
	readonly reason: FlushReason;
	readonly firstSubmitNs: number;
	readonly startNs: number;
	/** With `isolate`: the failed batch this row comes from. */
	readonly retryOf: number | undefined;
	/** It outlived its time; its rows are settled, and only its return is awaited. */
	timedOut = false;
	timeout: Wake | undefined = undefined;
	#controller: AbortController | undefined;

	constructor(
		batchId: number,
		entries: readonly Entry<Row, Score>[],
		reason: FlushReason,
		startNs: number,
		retryOf: number | undefined,
	) {
		this.batchId = batchId;
		this.entries = entries;
		this.reason = reason;
		this.startNs = startNs;
		this.firstSubmitNs = entries[0]?.submitNs ?? startNs;
		this.retryOf = retryOf;
	}

	/** Made when it is first looked at, since most score functions never do. */
	get signal(): AbortSignal {
		this.#controller ??= new AbortController();
		return this.#controller.signal;
	}

	abort(reason: unknown): void {
		this.#controller?.abort(reason);
	}

	/** Rows of this call whose callers still wait. */
	get unsettled(): number {
		let count = 0;
		for (const entry of this.entries) if (entry.place !== DONE) count++;
		return count;
	}
}

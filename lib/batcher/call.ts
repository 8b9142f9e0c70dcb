import type { Entry } from "./entry.js";
import type { FlushReason } from "./policy.js";
import type { CallContext } from "./scores.js";

/** One model call, from the moment its rows left the queue. */
export class ModelCall<Row, Score> implements CallContext {
	readonly batchId: number;
	readonly entries: readonly Entry<Row, Score>[];
	readonly reason: FlushReason;
	readonly startNs: number;
	/** Rows dropped before the model since the batch before left. */
	readonly dropped: number;
	/** With `isolate`: the failed batch this row comes from. */
	readonly retryOf: number | undefined;
	/** It outlived its time; its rows are settled, and only its return is awaited. */
	timedOut = false;
	#controller: AbortController | undefined;

	constructor(
		batchId: number,
		entries: readonly Entry<Row, Score>[],
		reason: FlushReason,
		startNs: number,
		dropped: number,
		retryOf: number | undefined,
	) {
		this.batchId = batchId;
		this.entries = entries;
		this.reason = reason;
		this.startNs = startNs;
		this.dropped = dropped;
		this.retryOf = retryOf;
	}

	get firstSubmitNs(): number {
		return this.entries[0]?.submitNs ?? this.startNs;
	}

	/** Made when it is first looked at, since most score functions never do. */
	get signal(): AbortSignal {
		this.#controller ??= new AbortController();
		return this.#controller.signal;
	}

	abort(reason: unknown): void {
		this.#controller?.abort(reason);
	}
}

import type { BatchReport } from "../batcher/index.js";
import type { BatchColumns, StampColumns } from "./protocol.js";

const FIRST_CAPACITY = 4096;

/** Moves a column into a larger array; doubling keeps the cost of one entry constant on average. */
function moved<T extends { set(source: T): void }>(larger: T, column: T): T {
	larger.set(column);
	return larger;
}

/** One entry a batch, kept for the laboratory. Grows without bound: for runs, not for a service that stays up. */
export class BatchLog {
	#length = 0;
	#capacity = FIRST_CAPACITY;
	#batchId = new Uint32Array(FIRST_CAPACITY);
	#size = new Uint16Array(FIRST_CAPACITY);
	#reason = new Uint8Array(FIRST_CAPACITY);
	#firstSubmitNs = new BigInt64Array(FIRST_CAPACITY);
	#waitNs = new Float64Array(FIRST_CAPACITY);
	#modelNs = new Float64Array(FIRST_CAPACITY);

	get length(): number {
		return this.#length;
	}

	/** @param reason index into the batcher's FLUSH_REASONS */
	add({ batchId, size, firstSubmitNs, waitNs, modelNs }: BatchReport, reason: number): void {
		if (this.#length === this.#capacity) this.#grow();
		const at = this.#length++;
		this.#batchId[at] = batchId;
		this.#size[at] = size;
		this.#reason[at] = reason;
		this.#firstSubmitNs[at] = BigInt(firstSubmitNs);
		this.#waitNs[at] = waitNs;
		this.#modelNs[at] = modelNs;
	}

	clear(): void {
		this.#length = 0;
	}

	/** Copies, so the log may go on. */
	columns(): BatchColumns {
		const end = this.#length;
		return {
			batchId: this.#batchId.slice(0, end),
			size: this.#size.slice(0, end),
			reason: this.#reason.slice(0, end),
			firstSubmitNs: this.#firstSubmitNs.slice(0, end),
			waitNs: this.#waitNs.slice(0, end),
			modelNs: this.#modelNs.slice(0, end),
		};
	}

	#grow(): void {
		this.#capacity *= 2;
		this.#batchId = moved(new Uint32Array(this.#capacity), this.#batchId);
		this.#size = moved(new Uint16Array(this.#capacity), this.#size);
		this.#reason = moved(new Uint8Array(this.#capacity), this.#reason);
		this.#firstSubmitNs = moved(new BigInt64Array(this.#capacity), this.#firstSubmitNs);
		this.#waitNs = moved(new Float64Array(this.#capacity), this.#waitNs);
		this.#modelNs = moved(new Float64Array(this.#capacity), this.#modelNs);
	}
}

/** The four moments of one request, ns of CLOCK_MONOTONIC. */
export interface Stamps {
	readonly handlerStartNs: number;
	readonly rowReadyNs: number;
	readonly scoreBackNs: number;
	readonly replyWrittenNs: number;
}

/** One entry a request, in the order of the answers. Like BatchLog, for runs. */
export class StampLog {
	#length = 0;
	/** Four values a request, so that one request's stamps share a cache line. */
	#values = new Float64Array(4 * FIRST_CAPACITY);

	get length(): number {
		return this.#length;
	}

	add({ handlerStartNs, rowReadyNs, scoreBackNs, replyWrittenNs }: Stamps): void {
		const at = 4 * this.#length++;
		if (at === this.#values.length) this.#values = moved(new Float64Array(2 * at), this.#values);
		this.#values[at] = handlerStartNs;
		this.#values[at + 1] = rowReadyNs;
		this.#values[at + 2] = scoreBackNs;
		this.#values[at + 3] = replyWrittenNs;
	}

	clear(): void {
		this.#length = 0;
	}

	columns(): StampColumns {
		const column = (stage: number) =>
			BigInt64Array.from({ length: this.#length }, (_, request) => BigInt(this.#values[4 * request + stage] ?? 0));
		return {
			handlerStartNs: column(0),
			rowReadyNs: column(1),
			scoreBackNs: column(2),
			replyWrittenNs: column(3),
		};
	}
}

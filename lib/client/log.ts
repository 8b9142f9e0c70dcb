import { OUTCOMES, type RequestColumns } from "./protocol.js";
import { parsePrediction, ReplyBytes } from "./replies.js";

const ANSWERED = OUTCOMES.indexOf("answered");
const FAILED = OUTCOMES.indexOf("failed");
const TIMED_OUT = OUTCOMES.indexOf("timedOut");
const UNSENT = OUTCOMES.indexOf("unsent");
const MOST_MESSAGES = 50;

export interface Ended {
	readonly columns: RequestColumns;
	/** Errors by message. */
	readonly errors: Readonly<Record<string, number>>;
}

/**
 * What becomes of each request. A request is `unsent` from the start, `timedOut` from its send on, and then at most once
 * `answered` or `failed`: so the four always add up to the number scheduled, whenever the log is read.
 */
export class RequestLog {
	#scheduledNs: Float64Array;
	#sentNs: Float64Array;
	#receivedNs: Float64Array;
	#status: Uint16Array;
	#outcome: Uint8Array;
	#bodyIndex: Uint32Array;
	#length = 0;
	readonly #replies: ReplyBytes | null;
	readonly #errors = new Map<string, number>();

	/** `readReplies`: answers are predictions, and one that is not has failed. */
	constructor(capacity: number, readReplies: boolean) {
		const room = Math.max(1, capacity);
		this.#scheduledNs = new Float64Array(room);
		this.#sentNs = new Float64Array(room).fill(Number.NaN);
		this.#receivedNs = new Float64Array(room).fill(Number.NaN);
		this.#status = new Uint16Array(room);
		this.#outcome = new Uint8Array(room).fill(UNSENT);
		this.#bodyIndex = new Uint32Array(room);
		this.#replies = readReplies ? new ReplyBytes() : null;
	}

	/** A new request; its number. */
	add(scheduledNs: number, bodyIndex: number): number {
		if (this.#length === this.#scheduledNs.length) this.#grow();
		const request = this.#length++;
		this.#scheduledNs[request] = scheduledNs;
		this.#bodyIndex[request] = bodyIndex;
		return request;
	}

	sent(request: number, ns: number): void {
		this.#sentNs[request] = ns;
		this.#outcome[request] = TIMED_OUT;
	}

	answered(request: number, ns: number, status: number, reply: Buffer | null): void {
		this.#receivedNs[request] = ns;
		this.#status[request] = status;
		if (status >= 200 && status < 300) {
			this.#outcome[request] = ANSWERED;
			this.#replies?.append(request, reply);
		} else {
			this.#outcome[request] = FAILED;
			this.error(`HTTP ${status}`);
		}
	}

	failed(request: number, message: string): void {
		this.#outcome[request] = FAILED;
		this.error(message);
	}

	/** Messages that carry numbers of their own could be as many as requests; beyond a bound they are counted together. */
	error(message: string, count = 1): void {
		const known = this.#errors.has(message) || this.#errors.size < MOST_MESSAGES;
		const name = known ? message : "further errors";
		this.#errors.set(name, (this.#errors.get(name) ?? 0) + count);
	}

	/** Reads the replies and ends the log. */
	end(drainMs: number): Ended {
		const n = this.#length;
		const outcome = this.#outcome.slice(0, n);
		const scoreBits = new Uint32Array(n);
		const scores = new Float32Array(scoreBits.buffer);
		const batchId = new Uint32Array(n);
		const batchSize = new Uint16Array(n);
		for (const [request, text] of this.#replies?.entries() ?? []) {
			const prediction = parsePrediction(text);
			if (prediction === undefined) {
				outcome[request] = FAILED;
				this.error(`the reply is no prediction: ${JSON.stringify(text.slice(0, 60))}`);
				continue;
			}
			scores[request] = prediction.score;
			batchId[request] = prediction.batchId;
			batchSize[request] = prediction.batchSize;
		}
		const stuck = outcome.reduce((count, kind) => count + (kind === TIMED_OUT ? 1 : 0), 0);
		if (stuck > 0) this.error(`no answer within ${drainMs} ms after the last arrival`, stuck);
		return {
			columns: {
				scheduledNs: this.#scheduledNs.slice(0, n),
				sentNs: this.#sentNs.slice(0, n),
				receivedNs: this.#receivedNs.slice(0, n),
				status: this.#status.slice(0, n),
				outcome,
				scoreBits,
				batchId,
				batchSize,
				bodyIndex: this.#bodyIndex.slice(0, n),
			},
			errors: Object.fromEntries(this.#errors),
		};
	}

	#grow(): void {
		const room = this.#length * 2;
		const moved = <T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(old: T, larger: T): T => {
			larger.set(old);
			return larger;
		};
		this.#scheduledNs = moved(this.#scheduledNs, new Float64Array(room));
		this.#sentNs = moved(this.#sentNs, new Float64Array(room).fill(Number.NaN));
		this.#receivedNs = moved(this.#receivedNs, new Float64Array(room).fill(Number.NaN));
		this.#status = moved(this.#status, new Uint16Array(room));
		this.#outcome = moved(this.#outcome, new Uint8Array(room).fill(UNSENT));
		this.#bodyIndex = moved(this.#bodyIndex, new Uint32Array(room));
	}
}

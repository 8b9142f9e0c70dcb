import { OUTCOMES, type RequestColumns } from "./protocol.js";

const FAILED = OUTCOMES.indexOf("failed");
const TIMED_OUT = OUTCOMES.indexOf("timedOut");
const UNSENT = OUTCOMES.indexOf("unsent");

/** What happened to each counted request; grows by doubling. Bodies are parsed after counting, not during it. */
export class RequestLog {
	scheduledNs: Float64Array;
	sentNs: Float64Array;
	receivedNs: Float64Array;
	status: Uint16Array;
	outcome: Uint8Array;
	bodyIndex: Uint32Array;
	readonly bodies: string[] = [];
	length = 0;

	constructor(capacity: number) {
		this.scheduledNs = new Float64Array(capacity).fill(Number.NaN);
		this.sentNs = new Float64Array(capacity).fill(Number.NaN);
		this.receivedNs = new Float64Array(capacity).fill(Number.NaN);
		this.status = new Uint16Array(capacity);
		this.outcome = new Uint8Array(capacity).fill(UNSENT);
		this.bodyIndex = new Uint32Array(capacity);
	}

	/** A new request; its index. */
	add(scheduledNs: number, bodyIndex: number): number {
		if (this.length === this.scheduledNs.length) this.#grow();
		const at = this.length++;
		this.scheduledNs[at] = scheduledNs;
		this.bodyIndex[at] = bodyIndex;
		return at;
	}

	sent(at: number, ns: number): void {
		this.sentNs[at] = ns;
		this.outcome[at] = TIMED_OUT;
	}

	answered(at: number, ns: number, status: number, body: string): void {
		this.receivedNs[at] = ns;
		this.status[at] = status;
		this.outcome[at] = status === 200 ? 0 : FAILED;
		this.bodies[at] = body;
	}

	failed(at: number): void {
		this.outcome[at] = FAILED;
	}

	/** The columns, with the scores read from the bodies. A body that cannot be read makes its request failed. */
	columns(): RequestColumns {
		const n = this.length;
		const scoreBits = new Uint32Array(n);
		const batchId = new Uint32Array(n);
		const batchSize = new Uint16Array(n);
		const scores = new Float32Array(scoreBits.buffer);
		for (let at = 0; at < n; at++) {
			if (this.outcome[at] !== 0) continue;
			const reply = parseReply(this.bodies[at] ?? "");
			if (reply === undefined) {
				this.outcome[at] = FAILED;
				continue;
			}
			scores[at] = reply.score;
			batchId[at] = reply.batchId;
			batchSize[at] = reply.batchSize;
		}
		const { scheduledNs, sentNs, receivedNs, status, outcome, bodyIndex } = this;
		return {
			scheduledNs: scheduledNs.slice(0, n),
			sentNs: sentNs.slice(0, n),
			receivedNs: receivedNs.slice(0, n),
			status: status.slice(0, n),
			outcome: outcome.slice(0, n),
			scoreBits,
			batchId,
			batchSize,
			bodyIndex: bodyIndex.slice(0, n),
		};
	}

	#grow(): void {
		const more = <T extends Float64Array | Uint16Array | Uint8Array | Uint32Array>(old: T, fresh: T): T => {
			fresh.set(old);
			return fresh;
		};
		const capacity = this.scheduledNs.length * 2;
		this.scheduledNs = more(this.scheduledNs, new Float64Array(capacity).fill(Number.NaN));
		this.sentNs = more(this.sentNs, new Float64Array(capacity).fill(Number.NaN));
		this.receivedNs = more(this.receivedNs, new Float64Array(capacity).fill(Number.NaN));
		this.status = more(this.status, new Uint16Array(capacity));
		this.outcome = more(this.outcome, new Uint8Array(capacity).fill(UNSENT));
		this.bodyIndex = more(this.bodyIndex, new Uint32Array(capacity));
	}
}

interface Reply {
	readonly score: number;
	readonly batchId: number;
	readonly batchSize: number;
}

function parseReply(body: string): Reply | undefined {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return undefined;
	}
	if (typeof value !== "object" || value === null || !("score" in value) || typeof value.score !== "number")
		return undefined;
	const number = (name: "batchId" | "batchSize") => {
		const found: unknown = Reflect.get(value, name);
		return typeof found === "number" ? found : 0;
	};
	return { score: value.score, batchId: number("batchId"), batchSize: number("batchSize") };
}

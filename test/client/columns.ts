import type { OpenRun, RequestColumns } from "batching-lab/client";

/** What happened to one made-up request; ms. */
export interface Request {
	readonly at: number;
	readonly sent?: number;
	readonly received?: number;
	readonly outcome?: number;
	readonly status?: number;
	readonly bits?: number;
	readonly body?: number;
	readonly batchSize?: number;
}

export function columnsOf(requests: readonly Request[]): RequestColumns {
	const ns = (ms: number | undefined) => (ms === undefined ? Number.NaN : Math.round(ms * 1e6));
	const ends = ({ sent, received }: Request) => (received !== undefined ? 0 : sent !== undefined ? 2 : 3);
	return {
		scheduledNs: Float64Array.from(requests, ({ at }) => ns(at)),
		sentNs: Float64Array.from(requests, ({ sent }) => ns(sent)),
		receivedNs: Float64Array.from(requests, ({ received }) => ns(received)),
		status: Uint16Array.from(requests, (request) => request.status ?? (request.received === undefined ? 0 : 200)),
		outcome: Uint8Array.from(requests, (request) => request.outcome ?? ends(request)),
		scoreBits: Uint32Array.from(requests, ({ bits }) => bits ?? 0),
		batchId: new Uint32Array(requests.length),
		batchSize: Uint16Array.from(requests, ({ batchSize }) => batchSize ?? 1),
		bodyIndex: Uint32Array.from(requests, ({ body }, i) => body ?? i),
	};
}

/** An open run of 1 s with more connections than it needs. */
export function runOf(requests: readonly Request[], more: Partial<OpenRun> = {}): OpenRun {
	return { columns: columnsOf(requests), arrivalMs: 1000, connections: 512, cpuUs: 5000, errors: {}, ...more };
}

/** `count` requests, `gapMs` apart, each sent `lateMs` late and answered `tookMs` later. */
export function steady(count: number, gapMs: number, lateMs: number, tookMs: number): Request[] {
	return Array.from({ length: count }, (_, i) => {
		const at = i * gapMs;
		return { at, sent: at + lateMs, received: at + lateMs + tookMs };
	});
}

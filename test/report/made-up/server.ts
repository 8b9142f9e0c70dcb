import { type BatchColumns, FLUSH_REASONS } from "batching-lab/record";

/** What a call of n rows takes: fixed + row × n, µs. */
export interface Machine {
	readonly fixedUs: number;
	readonly rowUs: number;
}

/** `ft` needs a bus, `gbt` hardly: S of about 3,300 and 9,000 answers a second with the rest of a request at 100 µs. */
export const MACHINES: Readonly<Record<string, Machine>> = {
	gbt: { fixedUs: 10, rowUs: 1.8 },
	ft: { fixedUs: 190, rowUs: 10 },
};
export const REST_US = 100;

/** What the made-up service answers at most, a second. */
export function saturationOf(model: string): number {
	const { fixedUs, rowUs } = MACHINES[model] ?? { fixedUs: 10, rowUs: 2 };
	return 1e6 / (fixedUs + rowUs + REST_US);
}

export interface Dials {
	readonly cap: number;
	readonly waitNs: number;
	readonly batched: boolean;
}

export function dialsOf(setting: string): Dials {
	const found = /^b(\d+)w([\d.]+)$/.exec(setting);
	return found === null
		? { cap: 1, waitNs: 0, batched: false }
		: { cap: Number(found[1]), waitNs: Number(found[2]) * 1e6, batched: true };
}

export interface Served {
	readonly receivedNs: Float64Array;
	readonly batchOf: Uint32Array;
	readonly batches: BatchColumns;
}

/** One server: takes what waits (at most B, after W), one batch at a time. Without a batcher a batch is one request. */
export function serve(scheduledNs: Float64Array, machine: Machine, { cap, waitNs, batched }: Dials): Served {
	const count = scheduledNs.length;
	const receivedNs = new Float64Array(count);
	const batchOf = new Uint32Array(count);
	const found: { size: number; reason: (typeof FLUSH_REASONS)[number]; first: number; wait: number; model: number }[] =
		[];
	let free = 0;
	for (let head = 0; head < count; ) {
		const first = Math.round(scheduledNs[head] ?? 0) + 20_000;
		const full = scheduledNs[head + cap - 1];
		const due = full === undefined ? first + waitNs : Math.min(first + waitNs, full + 20_000);
		const leaves = Math.round(Math.max(free, due));
		let size = 1;
		while (size < cap && head + size < count && (scheduledNs[head + size] ?? 0) + 20_000 <= leaves) size++;
		const model = Math.round((machine.fixedUs + machine.rowUs * size) * 1000);
		free = leaves + model + Math.round(REST_US * 1000 * size * (batched && size > 1 ? 0.7 : 1));
		for (let row = head; row < head + size; row++) {
			receivedNs[row] = free;
			batchOf[row] = found.length + 1;
		}
		const reason = size === cap ? "full" : waitNs > 0 ? "timer" : "idle";
		found.push({ size, reason, first, wait: leaves - first, model });
		head += size;
	}
	const kept = batched ? found : [];
	return {
		receivedNs,
		batchOf,
		batches: {
			batchId: Uint32Array.from(kept, (_, i) => i + 1),
			size: Uint16Array.from(kept, ({ size }) => size),
			reason: Uint8Array.from(kept, ({ reason }) => FLUSH_REASONS.indexOf(reason)),
			firstSubmitNs: Float64Array.from(kept, ({ first }) => first),
			waitNs: Float64Array.from(kept, ({ wait }) => wait),
			modelNs: Float64Array.from(kept, ({ model }) => model),
		},
	};
}

/** Arrivals at random moments with a steady average rate, ns. */
export function poisson(perSecond: number, seconds: number, random: () => number): Float64Array {
	const times: number[] = [];
	for (let at = 0; ; ) {
		at += (-Math.log(1 - random()) / perSecond) * 1e9;
		if (at >= seconds * 1e9) return Float64Array.from(times);
		times.push(Math.round(at));
	}
}

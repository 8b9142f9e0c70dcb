import { type Rows, sliceRows } from "../bit-check.js";
import type { Columns, Model } from "../types.js";
import type { AloneSize } from "./protocol.js";

/** Even a slow model gets so many calls, budget or not: a median of one call says nothing. */
const FEWEST_CALLS = 5;
/** Uncounted calls before the counted ones: a tenth of the budget, at most 100. */
const WARM_SHARE = 0.1;
const MOST_WARM_CALLS = 100;

export interface CallLimits {
	readonly calls: number;
	readonly budgetMs: number;
}

/** Inputs of one size, cut beforehand: other rows in every call, or the processor learns the one row's way through the trees. */
function windowsOf(model: Model, { columns, rows }: Rows, size: number, most: number): Columns[] {
	const count = Math.max(1, Math.min(most, Math.floor(rows / size)));
	return Array.from({ length: count }, (_, index) => sliceRows(model.inputs, columns, index * size, size));
}

async function timeCall(model: Model, columns: Columns, size: number): Promise<number> {
	const start = process.hrtime.bigint();
	await model.score(columns, size);
	return Number(process.hrtime.bigint() - start);
}

function summary(size: number, timesNs: readonly number[]): AloneSize {
	const sorted = Float64Array.from(timesNs).sort();
	const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
	const meanNs = sorted.reduce((sum, time) => sum + time, 0) / sorted.length;
	return {
		size,
		calls: sorted.length,
		minNs: at(0),
		p25Ns: at(0.25),
		p50Ns: at(0.5),
		p75Ns: at(0.75),
		p99Ns: at(0.99),
		meanNs,
	};
}

/** Times calls of one size, each from `score()` to its answer, one after the other; warms up first. */
export async function timeCalls(model: Model, rows: Rows, size: number, limits: CallLimits): Promise<AloneSize> {
	const windows = windowsOf(model, rows, size, limits.calls);
	const take = async (most: number, budgetMs: number, fewest: number): Promise<number[]> => {
		const times: number[] = [];
		const end = performance.now() + budgetMs;
		while (times.length < most && (times.length < fewest || performance.now() < end))
			times.push(await timeCall(model, windows[times.length % windows.length] as Columns, size));
		return times;
	};
	await take(MOST_WARM_CALLS, limits.budgetMs * WARM_SHARE, 1);
	return summary(size, await take(limits.calls, limits.budgetMs, Math.min(FEWEST_CALLS, limits.calls)));
}

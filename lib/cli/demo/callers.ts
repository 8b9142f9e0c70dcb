import { MicroBatcher } from "../../batcher/index.js";
import type { Model } from "../../model/index.js";

/** Callers that each ask for one row, wait for its score, and ask for the next. No server, no sockets. */
export const CALLERS = 64;
/** The batcher's cap and wait: take what has gathered, at most 32. */
const LIMITS = { maxBatchSize: 32, maxWaitMs: 0 };
/** The two ways take turns, so that a drift of the machine meets both. */
const TURNS = 3;

export interface CallersResult {
	readonly callers: number;
	readonly oneByOnePerSecond: number;
	readonly batchedPerSecond: number;
	/** Rows a model call of the batcher, on average. */
	readonly meanBatch: number;
	/** batchedPerSecond ÷ oneByOnePerSecond */
	readonly gain: number;
}

type Ask = (row: Float32Array) => Promise<number | undefined>;

/** Answers of all callers in about `milliseconds`, a second. */
async function answersPerSecond(rows: readonly Float32Array[], milliseconds: number, ask: Ask): Promise<number> {
	let next = 0;
	let answered = 0;
	const start = performance.now();
	const call = async (): Promise<void> => {
		while (performance.now() - start < milliseconds) {
			await ask(rows[next++ % rows.length] as Float32Array);
			answered += 1;
		}
	};
	await Promise.all(Array.from({ length: CALLERS }, call));
	return (1000 * answered) / (performance.now() - start);
}

function middle(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The same callers against the model one call each, then through a tiny batcher; several turns, the middle one counts. */
export async function compareCallers(
	model: Model,
	input: string,
	rows: readonly Float32Array[],
	milliseconds: number,
): Promise<CallersResult> {
	const width = rows[0]?.length ?? 0;
	const batcher = new MicroBatcher<Float32Array>((waiting) => {
		const features = new Float32Array(waiting.length * width);
		for (const [index, row] of waiting.entries()) features.set(row, index * width);
		return model.score({ [input]: features }, waiting.length);
	}, LIMITS);
	const alone: Ask = async (row) => (await model.score({ [input]: row }, 1))[0];
	const together: Ask = (row) => batcher.submit(row);
	const oneByOne: number[] = [];
	const batched: number[] = [];
	await answersPerSecond(rows, milliseconds / 4, together);
	for (let turn = 0; turn < TURNS; turn++) {
		oneByOne.push(await answersPerSecond(rows, milliseconds, alone));
		batched.push(await answersPerSecond(rows, milliseconds, together));
	}
	const { rows: scored, batches } = batcher.stats();
	await batcher.close();
	const result = { oneByOnePerSecond: middle(oneByOne), batchedPerSecond: middle(batched) };
	return {
		callers: CALLERS,
		...result,
		meanBatch: scored / batches,
		gain: result.batchedPerSecond / result.oneByOnePerSecond,
	};
}

import { CodedError, deriveSeed, seededRandom, shuffled } from "../../base/index.js";
import { findModel, openAssets } from "../assets/index.js";
import { POWERS_OF_TWO, type TaskOptions } from "../bit-check.js";
import { defaultPin } from "./pin.js";
import { startAlone } from "./process.js";
import type { AloneSize } from "./protocol.js";

/** The lesson's eleven sizes: 1, 2, 4 … 1,024. */
export const ALONE_SIZES: readonly number[] = [1, ...POWERS_OF_TWO];

export interface ModelAloneOptions extends TaskOptions {
	readonly dataDir: string;
	/** `gbt`, `ft`, `mlp` or the path of an .onnx file. */
	readonly model: string;
	/** @default 1, 2, 4 … 1,024 */
	readonly sizes?: readonly number[];
	/** Fresh processes; the only independent repetitions there are. @default 5 */
	readonly rounds?: number;
	/** Counted calls a size, at most. @default 2000 */
	readonly calls?: number;
	/** Time for the counted calls of one size, at most (but 5 calls are always made). @default 500 */
	readonly budgetMs?: number;
	/** Of the order of sizes and rows in each round. @default 1 */
	readonly seed?: number;
	/** Threads inside one model call. @default 1 */
	readonly threads?: number;
	/** CPU list for `taskset`; null: nothing is pinned. @default the last core where there are several and taskset exists */
	readonly pin?: string | null;
}

/** What one fresh process measured. */
export interface AloneRound {
	/** From 1. */
	readonly round: number;
	readonly pid: number;
	/** The order in which this process took the sizes. */
	readonly order: readonly number[];
	/** Ascending by size. */
	readonly sizes: readonly AloneSize[];
}

export interface ModelAlone {
	readonly model: string;
	/** Where the scored rows are from, in words. */
	readonly rowsFrom: string;
	readonly calls: number;
	readonly budgetMs: number;
	readonly seed: number;
	readonly threads: number;
	/** The CPU list that the processes were pinned to; null: the system chose. */
	readonly pin: string | null;
	readonly rounds: readonly AloneRound[];
}

function requireWhole(name: string, value: number): number {
	if (Number.isSafeInteger(value) && value >= 1) return value;
	throw new CodedError("BAD_OPTION", `${name} must be a whole number of at least 1, got ${value}`);
}

/**
 * Part A: what does a call of the model alone cost, by its number of rows? Every round is a fresh process that imports
 * model code only, warms up, and takes the sizes in a random order of its own.
 *
 * @throws {CodedError} `BAD_OPTION`, `UNKNOWN_MODEL`, `ALONE_FAILED`, `INTERRUPTED`, what `openAssets` throws.
 */
export async function measureModelAlone(options: ModelAloneOptions): Promise<ModelAlone> {
	const { dataDir, model, onProgress, signal, pin = defaultPin() } = options;
	const sizes = [...new Set(options.sizes ?? ALONE_SIZES)].sort((a, b) => a - b);
	for (const size of sizes) requireWhole("a size", size);
	if (sizes.length === 0) throw new CodedError("BAD_OPTION", "at least one size is needed");
	const rounds = requireWhole("rounds", options.rounds ?? 5);
	const calls = requireWhole("calls", options.calls ?? 2000);
	const { budgetMs = 500, seed = 1, threads = 1 } = options;
	if (!(budgetMs > 0)) throw new CodedError("BAD_OPTION", `budgetMs must be above 0, got ${budgetMs}`);
	const { name } = findModel(openAssets(dataDir), model);

	const total = rounds * sizes.length;
	const done: AloneRound[] = [];
	let rowsFrom = "";
	for (let round = 1; round <= rounds; round++) {
		const report = (taken: number, text: string) =>
			onProgress?.({
				done: (round - 1) * sizes.length + taken,
				total,
				text: `${name}, round ${round} of ${rounds}: ${text}`,
			});
		const order = shuffled(sizes, seededRandom(deriveSeed(seed, "order", round)));
		report(0, "loading");
		const config = { dataDir, model, order, calls, budgetMs, threads, seed: deriveSeed(seed, "rows", round) };
		const alone = await startAlone(config, pin, signal);
		try {
			rowsFrom = alone.rowsFrom;
			let taken = 0;
			const measured = await alone.run(({ size }) => {
				taken += 1;
				report(taken, `${size} ${size === 1 ? "row" : "rows"} a call`);
			});
			done.push({ round, pid: alone.pid, order, sizes: measured.sort((a, b) => a.size - b.size) });
		} finally {
			alone.stop();
		}
	}
	return { model: name, rowsFrom, calls, budgetMs, seed, threads, pin, rounds: done };
}

/** The medians of all rounds as points for a fit: µs a call. */
export function callPoints({ rounds }: ModelAlone): { size: number; us: number; round: number }[] {
	return rounds.flatMap(({ round, sizes }) => sizes.map(({ size, p50Ns }) => ({ size, us: p50Ns / 1000, round })));
}

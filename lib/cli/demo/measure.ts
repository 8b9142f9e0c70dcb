import { CodedError } from "../../base/index.js";
import {
	type Assets,
	type BitCheck,
	bitCheck,
	type CallCost,
	firstRows,
	type Model,
	openModel,
	rowsFor,
	type SizeCheck,
	timeCalls,
} from "../../model/index.js";
import type { ProgressEvent } from "../io.js";
import { type CallersResult, compareCallers } from "./callers.js";

/** The two models of the plot: one that batching helps a little, and one that it decides over. */
const MODELS = ["gbt", "ft"] as const;
const SIZES = [1, 8, 32, 1024];
const SAMPLE = { rows: 2000, sizes: [2, 8, 32] };
/** Bounds that keep the whole demo below a minute on a machine ten times as slow as a laptop. */
const LIMITS = { calls: 500, budgetMs: 500, callersMs: 500 };

export interface DemoModel {
	readonly model: string;
	/** Median time of a call, µs, at 1, 8, 32 and 1,024 rows. */
	readonly costs: readonly CallCost[];
	readonly bits: Pick<BitCheck, "rows" | "distinctScores" | "identical"> & { readonly sizes: readonly SizeCheck[] };
	readonly callers: CallersResult;
}

export interface DemoTask {
	readonly signal: AbortSignal;
	readonly onProgress: (event: ProgressEvent) => void;
}

async function demoModel(model: Model, assets: Assets, step: (text: string) => void): Promise<DemoModel> {
	const rows = rowsFor(model, assets, 1);
	const costs: CallCost[] = [];
	for (const size of SIZES) {
		step(`${model.name}: ${size} ${size === 1 ? "row" : "rows"} a call`);
		const { p50Ns } = await timeCalls(model, rows, size, LIMITS);
		costs.push({ size, us: p50Ns / 1000 });
	}
	step(`${model.name}: bits of ${SAMPLE.rows} rows`);
	const sample = firstRows(model, rows, SAMPLE.rows);
	const { singleRowScores: _, model: __, ...bits } = await bitCheck(model, sample, { sizes: SAMPLE.sizes });
	step(`${model.name}: a tiny batcher against one call each`);
	const [input] = model.inputs;
	const features = Float32Array.from(sample.columns[input?.name ?? ""] ?? [], Number);
	const width = input?.width ?? 1;
	const singles = Array.from({ length: sample.rows }, (__, row) => features.slice(row * width, (row + 1) * width));
	return {
		model: model.name,
		costs,
		bits,
		callers: await compareCallers(model, input?.name ?? "", singles, LIMITS.callersMs),
	};
}

/** Everything that the demo measures, in this process. */
export async function measureDemo(assets: Assets, { signal, onProgress }: DemoTask): Promise<DemoModel[]> {
	const total = MODELS.length * (SIZES.length + 2);
	let done = 0;
	const step = (text: string): void => {
		if (signal.aborted) throw new CodedError("INTERRUPTED", "the demo was interrupted", { exitCode: 130 });
		onProgress({ done: done++, total, text });
	};
	const results: DemoModel[] = [];
	for (const name of MODELS) {
		const model = await openModel(assets, name);
		try {
			results.push(await demoModel(model, assets, step));
		} finally {
			await model.close();
		}
	}
	return results;
}

import type { Command } from "commander";
import { findProject } from "../../base/index.js";
import type { AloneRound, BatchingVerdict, ModelAlone } from "../../model/index.js";
import type { CallFit } from "../../stats/index.js";
import type { MeasuredOn } from "../environment.js";
import { interruptible } from "../interrupt.js";
import { createProgress, listOption, numberOption, writeJson } from "../io.js";
import { micros, textTable, whole } from "../table.js";

interface Options {
	readonly model: string;
	readonly sizes?: readonly number[];
	readonly rounds: number;
	readonly calls: number;
	readonly budgetMs: number;
	readonly seed: number;
	readonly json?: boolean;
}

interface Result {
	readonly alone: ModelAlone;
	readonly costs: readonly { readonly size: number; readonly us: number }[];
	readonly fit: CallFit;
	readonly plateau: number | null;
	readonly verdict: BatchingVerdict;
	readonly environment: MeasuredOn;
}

async function measure({ json: _, ...options }: Options): Promise<Result> {
	const model = await import("../../model/index.js");
	const stats = await import("../../stats/index.js");
	const { measuredOn } = await import("../environment.js");
	const sizes = options.sizes ?? model.ALONE_SIZES;
	model.judgeBatching(sizes.map((size) => ({ size, us: size }))); // sizes that cannot answer are refused before any time is spent
	const { dataDir } = findProject();
	const progress = createProgress();
	try {
		const alone = await interruptible(async (signal) => {
			const task = { signal, onProgress: progress.update };
			await model.prepareAssets(dataDir, task);
			return model.measureModelAlone({ ...options, ...task, dataDir, sizes });
		});
		const points = model.callPoints(alone);
		const costs = stats.medianBySize(points);
		return {
			alone,
			costs,
			fit: stats.fitPerCall(points),
			plateau: stats.plateauSize(points),
			verdict: model.judgeBatching(costs),
			environment: await measuredOn(alone),
		};
	} finally {
		progress.stop();
	}
}

function toJson({ alone, costs, fit, plateau, verdict, environment }: Result): object {
	const { model, rowsFrom, calls, budgetMs, seed, rounds } = alone;
	return {
		model,
		rounds: rounds.length,
		perCallUs: Object.fromEntries(costs.map(({ size, us }) => [size, us])),
		perRowUs: Object.fromEntries(costs.map(({ size, us }) => [size, us / size])),
		fixedUs: fit.fixedUs,
		marginalUs: fit.marginalUs,
		intervals: fit.intervals,
		plateauSize: plateau,
		batchingCanHelp: verdict.batchingCanHelp,
		reason: verdict.reason,
		cheapestSize: verdict.cheapestSize,
		timesCheaper: verdict.timesCheaper,
		rowsFrom,
		maxCalls: calls,
		budgetMs,
		seed,
		perRound: rounds,
		environment,
	};
}

function callsOf(rounds: readonly AloneRound[], size: number): number {
	return rounds.reduce((sum, { sizes }) => sum + (sizes.find((own) => own.size === size)?.calls ?? 0), 0);
}

/** Smallest to largest median of the rounds, µs. */
function rangeOf(rounds: readonly AloneRound[], size: number): string {
	const medians = rounds.flatMap(({ sizes }) =>
		sizes.filter((own) => own.size === size).map(({ p50Ns }) => p50Ns / 1000),
	);
	return `${micros(Math.min(...medians))}–${micros(Math.max(...medians))}`;
}

function plateauText(costs: Result["costs"], plateau: number | null): string {
	if (plateau !== null)
		return `The plateau starts at ${whole(plateau)} rows: doubling them saves less than 10 % a row, so a larger cap buys little.`;
	const doubled = costs
		.filter(({ size }) => costs.some((other) => other.size === 2 * size))
		.map(({ size }) => 2 * size);
	return doubled.length === 0
		? "Where the plateau starts was not looked for: that takes sizes that double, such as 1,2,4,8."
		: `No plateau: every doubling that was measured, up to ${whole(Math.max(...doubled))} rows, still saves 10 % a row or more.`;
}

function toText({ alone, costs, fit, plateau, verdict, environment }: Result): string {
	const { model, rowsFrom, calls, budgetMs, rounds, pin } = alone;
	const table = textTable(
		["rows a call", "µs a call", "over the rounds", "µs a row", "rows a second", "calls"],
		costs.map(({ size, us }) => [
			whole(size),
			micros(us),
			rangeOf(rounds, size),
			micros(us / size),
			whole((1e6 * size) / us),
			whole(callsOf(rounds, size)),
		]),
	);
	return [
		`${model} alone: ${rounds.length} fresh ${rounds.length === 1 ? "process" : "processes"}, at most ${whole(calls)} calls or ${budgetMs} ms a size, ${rowsFrom}`,
		`${environment.cpu}, ${environment.cores} CPUs, ${pin === null ? "not pinned" : `pinned to CPU ${pin}`}; load ${environment.loadAverage.map((load) => load.toFixed(1)).join(" ")}`,
		"",
		table,
		`A call costs ${micros(fit.fixedUs)} µs, and ${micros(fit.marginalUs)} µs more for every row in it.`,
		plateauText(costs, plateau),
		`Batching ${verdict.batchingCanHelp ? "can" : "cannot"} help: ${verdict.reason}.`,
		"",
	].join("\n");
}

export function registerModelAlone(program: Command): void {
	program
		.command("model-alone")
		.description(
			"what a call and a row of a model cost, where the plateau starts, and whether batching can help at all",
		)
		.option("--model <name>", "gbt, ft, mlp, or the path of an .onnx file", "gbt")
		.option(
			"--sizes <list>",
			"rows a call, 1 among them (default: 1,2,4 … 1024)",
			listOption("--sizes", numberOption("--sizes", { min: 1, integer: true })),
		)
		.option("--rounds <n>", "fresh processes", numberOption("--rounds", { min: 1, integer: true }), 5)
		.option("--calls <n>", "counted calls a size, at most", numberOption("--calls", { min: 1, integer: true }), 2000)
		.option("--budget-ms <n>", "time a size, at most", numberOption("--budget-ms", { min: 1 }), 500)
		.option("--seed <n>", "of the order of sizes and rows", numberOption("--seed", { integer: true }), 1)
		.option("--json", "print one JSON object")
		.action(async (options: Options) => {
			const result = await measure(options);
			if (options.json) writeJson(toJson(result));
			else process.stdout.write(toText(result));
		});
}

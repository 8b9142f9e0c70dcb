import type { Command } from "commander";
import { CodedError } from "../../base/index.js";
import type { SimulatedSetting, SimulatedSweep } from "../../sim/index.js";
import { createProgress, listOption, numberOption, writeJson } from "../io.js";
import { textTable, whole } from "../table.js";

interface Options {
	readonly fixedUs: number;
	readonly perRowUs: number;
	readonly requestUs: number;
	readonly batchUs: number;
	readonly setting: readonly string[];
	readonly rateMultiple: readonly number[];
	readonly seconds: number;
	readonly rounds: number;
	readonly connections: number;
	readonly seed: number;
	readonly json?: boolean;
}

async function settingsOf(names: readonly string[]): Promise<SimulatedSetting[]> {
	const { callsAtOnce, parseSetting } = await import("../../service/index.js");
	return names.map((name) => {
		const setting = parseSetting(name);
		if (setting.kind === "none") return { name, batcher: "none" };
		if (setting.kind === "batched") {
			const { maxBatchSize, maxWaitMs } = setting;
			return { name, batcher: { maxBatchSize, maxWaitMs, maxInFlight: callsAtOnce(maxBatchSize, maxWaitMs) } };
		}
		throw new CodedError("BAD_SETTING", `${name} has no model, so there is nothing to simulate; take none or bXwY`);
	});
}

async function simulate(options: Options): Promise<SimulatedSweep> {
	const { affineModel, simulateSweep } = await import("../../sim/index.js");
	const { fixedUs, perRowUs, requestUs, batchUs, rateMultiple, seconds, rounds, connections, seed } = options;
	const settings = await settingsOf(options.setting);
	const progress = createProgress();
	try {
		return simulateSweep({
			server: {
				modelNs: affineModel({ fixedUs, perRowUs }),
				beforeUs: requestUs / 2,
				afterUs: requestUs / 2,
				perBatchUs: batchUs,
			},
			settings,
			rateMultiples: rateMultiple,
			seconds,
			rounds,
			connections,
			seed,
			onProgress: progress.update,
		});
	} finally {
		progress.stop();
	}
}

function toJson(options: Options, { saturationPerSecond, points }: SimulatedSweep): object {
	const { fixedUs, perRowUs, requestUs, batchUs, seconds, rounds, connections, seed } = options;
	const calibration = { fixedUs, perRowUs, requestUs, batchUs };
	return { calibration, seed, seconds, rounds, connections, saturationPerSecond, points };
}

function toText(options: Options, { saturationPerSecond, points }: SimulatedSweep): string {
	const ms = (value: number | null): string => (value === null ? "too few" : value.toFixed(2));
	const head = ["setting", "× S", "requests/s", "answers/s", "kept up", "p50 ms", "p99 ms", "rows a call", "core busy"];
	const rows = points.map((point) => [
		point.setting,
		String(point.rateMultiple),
		whole(point.ratePerSecond),
		whole(point.answeredPerSecond),
		`${point.keptUp} of ${options.rounds}`,
		ms(point.p50Ms),
		ms(point.p99Ms),
		point.meanBatch.toFixed(1),
		`${(100 * point.utilisation).toFixed(0)}%`,
	]);
	const { fixedUs, perRowUs, requestUs, seconds, rounds } = options;
	return [
		`Simulated, not measured: one core, a call of n rows takes ${fixedUs} + ${perRowUs} n µs, a request ${requestUs} µs beside it.`,
		`S = ${whole(saturationPerSecond)} answers a second without batching; ${rounds} rounds of ${seconds} s of Poisson arrivals.`,
		"",
		textTable(head, rows),
		"Latency counts from the arrival. Where a setting did not keep up, it would be longer in a longer run.",
		"",
	].join("\n");
}

export function registerSimulate(program: Command): void {
	const time = (name: string) => numberOption(name, { min: 0, max: 1e7 });
	program
		.command("simulate")
		.description("what a batcher would do for a model of these costs, in virtual time, without measuring anything")
		.requiredOption("--fixed-us <us>", "what every model call costs (workbook model-alone says it)", time("--fixed-us"))
		.requiredOption("--per-row-us <us>", "what every row in it costs more", time("--per-row-us"))
		.requiredOption(
			"--request-us <us>",
			"core time of a request beside the model, client included if it shares the core",
			time("--request-us"),
		)
		.option("--batch-us <us>", "core time of a batch beside the model", time("--batch-us"), 0)
		.option(
			"--setting <list>",
			"none, bXwY",
			listOption("--setting", (text) => text),
			["none", "b32w0", "b32w2"],
		)
		.option(
			"--rate-multiple <list>",
			"rates as multiples of S",
			listOption("--rate-multiple", numberOption("--rate-multiple", { min: 0.001, max: 1000 })),
			[0.5, 1, 1.6, 2],
		)
		.option("--seconds <s>", "arrivals a run", numberOption("--seconds", { min: 0.1, max: 600 }), 8)
		.option("--rounds <n>", "draws of the arrivals", numberOption("--rounds", { min: 1, max: 1000, integer: true }), 5)
		.option(
			"--connections <n>",
			"of the closed loop that finds S",
			numberOption("--connections", { min: 1, max: 512, integer: true }),
			16,
		)
		.option("--seed <n>", "of the arrivals", numberOption("--seed", { integer: true }), 1)
		.option("--json", "print one JSON object")
		.action(async (options: Options) => {
			const sweep = await simulate(options);
			if (options.json) writeJson(toJson(options, sweep));
			else process.stdout.write(toText(options, sweep));
		});
}

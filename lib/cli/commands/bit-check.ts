import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { CodedError, findProject } from "../../base/index.js";
import type { BitCheck, MachineComparison } from "../../model/index.js";
import type { MeasuredOn } from "../environment.js";
import { interruptible } from "../interrupt.js";
import { createProgress, listOption, numberOption, writeJson } from "../io.js";
import { textTable, whole } from "../table.js";

interface Options {
	readonly model: string;
	readonly threads: number;
	readonly sizes?: readonly number[];
	readonly everySize?: boolean;
	readonly rows?: number;
	readonly save?: string;
	readonly compare?: string;
	readonly json?: boolean;
}

interface Result {
	readonly check: BitCheck;
	readonly rowsFrom: string;
	readonly comparison?: MachineComparison;
	readonly environment: MeasuredOn;
}

const LARGEST_SIZE = 1024;

function sizesOf({ sizes, everySize }: Options): { sizes?: readonly number[] } {
	if (everySize && sizes !== undefined)
		throw new CodedError("BAD_OPTION", "--every-size and --sizes exclude each other");
	if (everySize) return { sizes: Array.from({ length: LARGEST_SIZE - 1 }, (_, index) => index + 2) };
	return sizes === undefined ? {} : { sizes };
}

async function check(options: Options): Promise<Result> {
	const model = await import("../../model/index.js");
	const { measuredOn } = await import("../environment.js");
	const sizes = sizesOf(options);
	const other = options.compare === undefined ? undefined : model.readScoreFile(options.compare);
	const progress = createProgress();
	try {
		return await interruptible(async (signal) => {
			const task = { signal, onProgress: progress.update };
			const assets = await model.prepareAssets(findProject().dataDir, task);
			const opened = await model.openModel(assets, options.model, { threads: options.threads });
			try {
				const all = model.rowsFor(opened, assets);
				const rows = model.firstRows(opened, all, options.rows ?? all.rows);
				const result = await model.bitCheck(opened, rows, { ...sizes, ...task });
				const environment = await measuredOn({ threads: options.threads });
				const own = {
					model: result.model,
					modelSha256: model.sha256(readFileSync(model.findModel(assets, options.model).path)),
					rowsSha256: model.rowsHash(rows.columns),
					madeOn: `${environment.platform} ${environment.arch}, ${environment.cpu}, onnxruntime ${environment.onnxruntime}`,
					scores: result.singleRowScores,
				};
				if (options.save !== undefined) model.writeScoreFile(options.save, own);
				return {
					check: result,
					rowsFrom: rows.source,
					environment,
					...(other === undefined ? {} : { comparison: model.compareMachines(own, other) }),
				};
			} finally {
				await opened.close();
			}
		});
	} finally {
		progress.stop();
	}
}

function toJson({ check: result, rowsFrom, comparison, environment }: Result): object {
	const { model, singleRowScores: _, ...rest } = result;
	return {
		model,
		threads: environment.threads,
		...rest,
		rowsFrom,
		...(comparison === undefined ? {} : { comparison }),
		environment,
	};
}

const small = (value: number) => (value === 0 ? "0" : value.toExponential(1));

function toText({ check: result, rowsFrom, comparison, environment }: Result): string {
	const worst = result.sizes.reduce((most, { differingRows }) => Math.max(most, differingRows), 0);
	const { threads } = environment;
	const lines = [
		`${result.model}, ${whole(result.rows)} ${rowsFrom}, ${threads} ${threads === 1 ? "thread" : "threads"}, float32 scores, tolerance 0`,
		`${whole(result.distinctScores)} distinct scores`,
		"",
		textTable(
			["rows a call", "rows that differ", "largest ULP", "largest difference"],
			result.sizes.map(({ size, differingRows, maxUlp, maxAbs }) => [
				whole(size),
				whole(differingRows),
				whole(maxUlp),
				small(maxAbs),
			]),
		),
		result.identical
			? "Identical: at every size each row has the bits that it has alone."
			: `Not identical: at the worst size ${whole(worst)} of ${whole(result.rows)} rows have other bits than alone.`,
	];
	if (comparison !== undefined)
		lines.push(
			comparison.equal
				? `Equal to the other machine (${comparison.other}) in all ${whole(comparison.rows)} rows.`
				: `Different from the other machine (${comparison.other}) in ${whole(comparison.differingRows)} of ${whole(comparison.rows)} rows, by at most ${small(comparison.maxAbs)} (${whole(comparison.maxUlp)} ULP).`,
		);
	return `${lines.join("\n")}\n`;
}

export function registerBitCheck(program: Command): void {
	program
		.command("bit-check")
		.description("are batched scores the single-row scores, bit for bit? Exit code 1 when a row differs")
		.option("--model <name>", "gbt, ft, mlp, or the path of an .onnx file", "gbt")
		.option("--threads <n>", "threads inside one model call", numberOption("--threads", { min: 1, integer: true }), 1)
		.option(
			"--sizes <list>",
			"rows a call (default: 2,4,8 … 1024); all rows in one call is always checked",
			listOption("--sizes", numberOption("--sizes", { min: 1, integer: true })),
		)
		.option("--every-size", "every size from 2 to 1024: minutes instead of seconds")
		.option("--rows <n>", "only the first rows", numberOption("--rows", { min: 1, integer: true }))
		.option("--save <file>", "write the single-row scores, to compare on another machine")
		.option("--compare <file>", "compare with the single-row scores that another machine saved")
		.option("--json", "print one JSON object")
		.action(async (options: Options) => {
			const result = await check(options);
			if (options.json) writeJson(toJson(result));
			else process.stdout.write(toText(result));
			if (!result.check.identical || result.comparison?.equal === false) process.exitCode = 1;
		});
}

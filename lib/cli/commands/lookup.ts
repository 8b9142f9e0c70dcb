import type { Command } from "commander";
import { CodedError } from "../../base/index.js";
import { createProgress, numberOption, writeJson } from "../io.js";

interface Options {
	readonly model?: string;
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
	readonly rateMultiple: number;
	readonly json?: boolean;
}

async function lookup(folder: string, { model, json, ...dials }: Options): Promise<void> {
	const room = await import("../../report/index.js");
	const source = room.openSource(folder);
	const progress = createProgress();
	try {
		const report = room.makeReport(source, { onProgress: progress.update });
		progress.stop();
		const { entries } = room.lookupBox(report);
		if (entries.length === 0) {
			throw new CodedError("NOT_MEASURED", `${report.path} holds no open-loop run, so there is no point to look up`, {
				exitCode: 1,
				hint: "workbook sweep, or npm start, measures them",
			});
		}
		const models = model === undefined ? [...new Set(entries.map((entry) => entry.model))] : [model];
		const answers = models.map((name) => ({ model: name, ...room.lookUp(entries, { model: name, ...dials }) }));
		if (!answers.some(({ found }) => found)) {
			const lines = answers.flatMap((answer) => answer.lines.map((line) => `${answer.model}: ${line}`));
			throw new CodedError("NOT_MEASURED", lines.join("\n"));
		}
		const points = entries.filter(
			(entry) =>
				models.includes(entry.model) &&
				entry.rateMultiple === dials.rateMultiple &&
				(entry.setting === "none" ||
					(entry.maxBatchSize === dials.maxBatchSize && entry.maxWaitMs === dials.maxWaitMs)),
		);
		if (json === true) writeJson({ question: dials, points, answers });
		else
			for (const answer of answers)
				process.stdout.write(`${answer.model}\n${answer.lines.map((line) => `  ${line}\n`).join("")}`);
	} finally {
		progress.stop();
		source.close();
	}
}

export function registerLookup(program: Command): void {
	program
		.command("lookup")
		.description("one measured point of a run, none at the same rate first; measures nothing")
		.argument("<dir>", "a run's folder, its lab.sqlite, or a summarised copy")
		.requiredOption("--max-batch-size <rows>", "B", numberOption("--max-batch-size", { min: 1, integer: true }))
		.requiredOption("--max-wait-ms <ms>", "W", numberOption("--max-wait-ms", { min: 0 }))
		.requiredOption("--rate-multiple <x>", "rate as a multiple of S", numberOption("--rate-multiple", { min: 0 }))
		.option("--model <name>", "one model; without it, every one of the run")
		.option("--json", "one object on standard output")
		.action((folder: string, options: Options) => lookup(folder, options));
}

import type { Command } from "commander";
import type { Report } from "../../report/index.js";
import { createProgress, writeJson } from "../io.js";

interface Options {
	readonly json?: boolean;
	readonly summarise?: string;
	readonly only?: string;
}

function asJson(report: Report): unknown {
	const { path, summarised, checked, numbers, sections, grades } = report;
	return { path, summarised, checked, numbers: Object.fromEntries(numbers), grades, sections };
}

async function print(report: Report, only: string | undefined): Promise<void> {
	const { plainText, pickSections } = await import("../../report/index.js");
	const sections = pickSections(report, only);
	const from = report.summarised ? ", from a summarised copy: ≈ marks what was checked against bins 0.1 % wide" : "";
	process.stdout.write(`${report.path}: ${report.checked} numbers, each computed twice with the same result${from}\n`);
	for (const { title, markdown, addedLater } of sections) {
		process.stdout.write(`\n${title}${addedLater ? " (added later)" : ""}\n\n${plainText(markdown)}\n`);
	}
}

async function report(first: string, second: string | undefined, options: Options): Promise<void> {
	const room = await import("../../report/index.js");
	const progress = createProgress();
	const sources = [first, ...(second === undefined ? [] : [second])].map(room.openSource);
	try {
		const reports = sources.map((source) => room.makeReport(source, { onProgress: progress.update }));
		progress.stop();
		const [a, b] = reports;
		const [sourceA, sourceB] = sources;
		if (a === undefined || sourceA === undefined) return;
		if (options.summarise !== undefined) {
			room.writeSummarised(sourceA, options.summarise);
			progress.line(`wrote ${options.summarise}`);
		}
		if (b === undefined || sourceB === undefined) {
			if (options.json === true) writeJson(asJson(a));
			else await print(a, options.only);
			return;
		}
		const scores = room.compareScores(sourceA, sourceB);
		if (options.json === true) writeJson({ a: asJson(a), b: asJson(b), scores });
		else process.stdout.write(`${room.plainText(room.twoReports(a, b, scores))}\n`);
	} finally {
		progress.stop();
		for (const source of sources) source.close();
	}
}

export function registerReport(program: Command): void {
	program
		.command("report")
		.description("results of a run, every number computed twice; with a second folder, two runs side by side")
		.argument("<dir>", "a run's folder, its lab.sqlite, or a summarised copy")
		.argument("[dir2]", "another run, to compare with")
		.option("--only <section>", "one part: answer, headline, price-of-wait, saturation, guesses, five-steps, …")
		.option("--summarise <file>", "also write a copy without request columns (lab-summary.json.gz)")
		.option("--json", "one object on standard output")
		.action((first: string, second: string | undefined, options: Options) => report(first, second, options));
}

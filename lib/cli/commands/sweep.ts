import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { CodedError, findProject } from "../../base/index.js";
import type { OnChange, Profile, SweepPoint, SweepSummary } from "../../lab/index.js";
import { interruptible } from "../interrupt.js";
import { createProgress, listOption, writeJson } from "../io.js";
import { labProgress } from "../lab-progress.js";
import { textTable, whole } from "../table.js";

interface Options {
	readonly profile?: string;
	readonly model?: readonly string[];
	readonly set: readonly string[];
	readonly out?: string;
	readonly resume?: string | true;
	readonly allowChange?: boolean;
	readonly setAside?: boolean;
	readonly plan?: boolean;
	readonly json?: boolean;
}

interface Result {
	readonly folder: string;
	readonly profile: Profile;
	readonly summary: SweepSummary;
	readonly points: readonly SweepPoint[];
}

type Lab = typeof import("../../lab/index.js");

function onChangeOf({ allowChange, setAside }: Options): OnChange {
	if (allowChange && setAside) throw new CodedError("BAD_OPTION", "--allow-change and --set-aside exclude each other");
	return allowChange ? "allow" : setAside ? "set-aside" : "refuse";
}

function profileOf(lab: Lab, { profile, model, set }: Options): Profile {
	const named = lab.profileNamed(profile ?? "quick");
	// the models first: a value for one of them is checked against them
	return lab.applySet(model === undefined ? named : lab.withValues(named, { models: model }), set);
}

/** The folder to go on in, or null for a new run. */
function resumedFolder(lab: Lab, { resume, out }: Options): string | null {
	if (resume === undefined) return null;
	if (out !== undefined) throw new CodedError("BAD_OPTION", "--resume names the run's folder; leave --out out");
	const folder = resume === true ? lab.latestRun(findProject().outputsDir) : resume;
	if (folder !== null && existsSync(join(folder, lab.RECORD_FILE))) return folder;
	const where = folder === null ? "outputs/latest points nowhere" : `${folder} holds no ${lab.RECORD_FILE}`;
	throw new CodedError("NO_RUN", `there is no run to resume: ${where}`, { hint: "workbook sweep begins one" });
}

async function measure(lab: Lab, options: Options): Promise<Result> {
	const onChange = onChangeOf(options);
	const resumed = resumedFolder(lab, options);
	const wants = options.profile !== undefined || options.model !== undefined || options.set.length > 0;
	const dir = resumed ?? options.out;
	const progress = createProgress();
	const onProgress = labProgress(progress);
	try {
		return await interruptible(async (signal) => {
			const run = await lab.openRun({
				...(resumed === null || wants ? { profile: profileOf(lab, options) } : {}),
				...(dir === undefined ? { fresh: true } : { dir }),
				onChange,
				onProgress,
				signal,
			});
			try {
				const { recordGuesses } = await import("../../report/index.js");
				recordGuesses({ guesses: run.record.guesses(), write: (guess) => run.guess(guess) });
				const summary = await run.sweep({ onProgress, signal });
				return { folder: run.folder, profile: run.profile, summary, points: lab.sweepPoints(run.record) };
			} finally {
				run.close();
			}
		});
	} finally {
		progress.stop();
	}
}

function toText({ folder, summary, points }: Result): string {
	const models = [...new Set(points.map((point) => point.model))];
	const tables = models.map((model) => {
		const own = points.filter((point) => point.model === model);
		const rates = [...new Set(own.map((point) => point.rateMultiple))].sort((a, b) => a - b);
		const names = [...new Set(own.map((point) => point.name))];
		const cell = (name: string, rate: number) => {
			const point = own.find((candidate) => candidate.name === name && candidate.rateMultiple === rate);
			if (point === undefined) return "";
			const p99 = point.p99Ms === null ? "–" : point.p99Ms.toPrecision(3);
			return point.keptUpRounds === point.rounds ? p99 : `${p99} (kept up ${point.keptUpRounds}/${point.rounds})`;
		};
		const rows = names.map((name) => [name, ...rates.map((rate) => cell(name, rate))]);
		return `${model}: p99 in ms from the scheduled arrival, median of the rounds\n\n${textTable(["setting", ...rates.map((rate) => `${rate} S`)], rows)}`;
	});
	const { runs, planned, invalid, invalidPace, late, notQuiet, drifted, answers, differingAnswers } = summary;
	const remarks = [
		`${runs} of ${planned} runs; ${whole(answers)} answers, ${whole(differingAnswers)} with other bits than alone`,
		...(invalid > 0 ? [`${invalid} INVALID`] : []),
		...(invalidPace > 0 ? [`S comes from ${invalidPace} INVALID closed loops`] : []),
		...(late > 0 ? [`${late} LATE`] : []),
		...(notQuiet > 0 ? [`${notQuiet} on a machine that was not quiet`] : []),
		...(drifted > 0 ? [`${drifted} not comparable, the machine's speed drifted`] : []),
	];
	return `${tables.join("\n")}\n${remarks.join("; ")}\nEverything: ${folder}\n`;
}

export function registerSweep(program: Command): void {
	program
		.command("sweep")
		.description(
			"the open-loop sweep: every setting at every rate on the same arrivals. Exit code 1 when a run is INVALID",
		)
		.option("--profile <name>", "smoke, quick, standard or full (default: quick)")
		.option(
			"--model <list>",
			"models instead of the profile's",
			listOption("--model", (text) => text),
		)
		.option(
			"--set <name=value>",
			"one value of the profile, for instance rounds=5 or rateMultiples=0.5,1; can be repeated",
			(text: string, all: readonly string[]) => [...all, text],
			[],
		)
		.option("--out <dir>", "the run's folder (default: a new one in outputs)")
		.option("--resume [dir]", "go on with a run that was stopped (default: the latest)")
		.option("--allow-change", "go on although code, models or design have changed, and note it")
		.option("--set-aside", "keep the changed record under another name and begin anew")
		.option("--plan", "only say how long it would take")
		.option("--json", "print one JSON object")
		.action(async (options: Options) => {
			const lab = await import("../../lab/index.js");
			if (options.plan) {
				const plan = lab.timePlan(profileOf(lab, options));
				if (options.json) writeJson(plan);
				else
					process.stdout.write(
						`${plan.runs} runs, about ${lab.durationText(plan.expectedSeconds)}, until ${lab.untilText(plan.expectedSeconds)}; at most ${lab.durationText(plan.atMostSeconds)}\n`,
					);
				return;
			}
			const result = await measure(lab, options);
			if (options.json) writeJson({ ...result, profile: result.profile.name });
			else process.stdout.write(toText(result));
			if (result.summary.invalid + result.summary.invalidPace > 0) process.exitCode = 1;
		});
}

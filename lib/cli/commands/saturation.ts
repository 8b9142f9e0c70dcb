import type { Command } from "commander";
import type { Profile, Saturation } from "../../lab/index.js";
import { interruptible } from "../interrupt.js";
import { createProgress, listOption, numberOption, writeJson } from "../io.js";
import { labProgress } from "../lab-progress.js";
import { micros, textTable, whole } from "../table.js";

interface Options {
	readonly model: string;
	readonly setting?: readonly string[];
	readonly profile: string;
	readonly rounds?: number;
	readonly seconds?: number;
	readonly connections?: number;
	readonly topology?: string;
	readonly out?: string;
	readonly json?: boolean;
}

async function measure(options: Options): Promise<{ saturation: Saturation; folder: string; profile: Profile }> {
	const lab = await import("../../lab/index.js");
	const { model, setting, rounds, seconds, connections, topology } = options;
	const base = lab.profileNamed(options.profile);
	const profile = lab.checkedProfile(
		{
			...base,
			name: "saturation",
			models: [model],
			...(setting === undefined ? {} : { perModel: {} }),
			saturationSettings: setting ?? base.saturationSettings,
			saturationRounds: rounds ?? base.saturationRounds,
			closedSeconds: seconds ?? base.closedSeconds,
			closedConnections: connections ?? base.closedConnections,
			topology: topology ?? base.topology,
		},
		"the command line",
	);
	lab.planSweep(profile); // settings that mean nothing are refused before a folder is made
	// a look at one number is no reason for the workbook to forget its current run
	const place = options.out === undefined ? { fresh: true, current: false } : { dir: options.out };
	const progress = createProgress();
	const onProgress = labProgress(progress);
	try {
		return await interruptible(async (signal) => {
			const run = await lab.openRun({ profile, ...place, onProgress, signal });
			try {
				const [saturation] = await run.saturation({ onProgress, signal });
				if (saturation === undefined) throw new Error(`nothing was measured in ${run.folder}`);
				return { saturation, folder: run.folder, profile };
			} finally {
				run.close();
			}
		});
	} finally {
		progress.stop();
	}
}

function toText({ model, connections, settings }: Saturation, folder: string): string {
	const none = settings.none?.answersPerSecond;
	const rows = Object.entries(settings).map(([setting, { answersPerSecond, min, max, rounds, meanBatch, ...rest }]) => [
		setting,
		whole(answersPerSecond),
		`${whole(min)} – ${whole(max)}`,
		String(rounds.length),
		none === undefined ? "" : (answersPerSecond / none).toFixed(2),
		meanBatch === null ? "" : meanBatch.toFixed(1),
		micros(rest.cpuUsPerAnswer.service),
		micros(rest.cpuUsPerAnswer.client),
		whole(rest.differingAnswers),
	]);
	const remarks = Object.entries(settings).flatMap(([setting, { invalidRounds }]) =>
		invalidRounds.map(({ round, reasons }) => `INVALID ${setting}, round ${round}: ${reasons.join("; ")}\n`),
	);
	const head = [
		"setting",
		"answers/s",
		"from – to",
		"rounds",
		"× S",
		"rows a call",
		"service µs",
		"client µs",
		"other bits",
	];
	return `${model}, closed loop with ${connections} connections; answers a second, median of the rounds; CPU µs an answer\n\n${textTable(head, rows)}\n${remarks.join("")}S is the most that none answers. Every run: ${folder}\n`;
}

export function registerSaturation(program: Command): void {
	program
		.command("saturation")
		.description(
			"S: how many answers a second does the service give at most, with no batching and with others? Exit code 1 when a round is INVALID",
		)
		.option("--model <name>", "gbt, ft, mlp, or the path of an .onnx file", "gbt")
		.option(
			"--setting <list>",
			"settings, measured in turn: none, bXwY, nomodel, nomodel-deferred (default: the profile's)",
			listOption("--setting", (text) => text),
		)
		.option("--profile <name>", "smoke, quick, standard or full: how long and how often", "quick")
		.option("--rounds <n>", "closed-loop runs a setting", numberOption("--rounds", { min: 1, integer: true }))
		.option("--seconds <s>", "counted seconds a run", numberOption("--seconds", { min: 0.1, max: 3600 }))
		.option(
			"--connections <n>",
			"connections that each send when they have their answer",
			numberOption("--connections", { min: 1, max: 512, integer: true }),
		)
		.option("--topology <name>", "shared: client and service on one core; separate: a core each")
		.option("--out <dir>", "the run's folder (default: a new one in outputs)")
		.option("--json", "print one JSON object")
		.action(async (options: Options) => {
			const { saturation, folder } = await measure(options);
			if (options.json) writeJson(saturation);
			else process.stdout.write(toText(saturation, folder));
			if (Object.values(saturation.settings).some((each) => each.invalidRounds.length > 0)) process.exitCode = 1;
		});
}

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { CodedError, findProject, MAX_START_LIMIT_S, type Project, START_LIMIT_VARIABLE } from "../../base/index.js";
import type { RunFailure, RunOptions } from "../../notebook/index.js";
import { aside, type RunPlace } from "../aside.js";
import { interruptible } from "../interrupt.js";
import { createProgress, numberOption } from "../io.js";

interface RunFlags {
	readonly profile?: string;
	readonly out?: string;
	readonly set?: Readonly<Record<string, string>>;
	readonly resume?: boolean;
	readonly cellLimit?: number;
	readonly runLimit?: number;
	readonly startLimit?: number;
}

export function registerRun(program: Command): void {
	const seconds = (name: string) => numberOption(name, { min: 0.001 });
	program
		.command("run")
		.argument("[notebook...]", "notebooks, run in this order; without any, those of notebooks/")
		.description("run notebooks without Jupyter and keep executed copies: .ipynb, and .html for any browser")
		.option("--profile <name>", "how much is measured: smoke, quick, standard or full (default: quick)")
		.option("--out <dir>", "folder of the executed copies (default: a new one in outputs/)")
		.option("--set <name=value>", "give a parameter of the notebooks a value; may be repeated", collect)
		.option("--resume", "go on at the first notebook that is not finished, in the latest run or in --out")
		.option("--cell-limit <seconds>", "stop a cell that takes longer (default: no limit)", seconds("--cell-limit"))
		.option("--run-limit <seconds>", "stop a run that takes longer (default: no limit)", seconds("--run-limit"))
		.option(
			"--start-limit <seconds>",
			"how long a kernel may take to start and a chart to be drawn; more on a slow machine (default: 60)",
			numberOption("--start-limit", { min: 0.001, max: MAX_START_LIMIT_S }),
		)
		.action((names: string[], flags: RunFlags) => interruptible((signal) => run(names, flags, signal)));
}

/** `name=value`; the value may be empty and may contain `=`. */
function collect(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
	const match = /^([A-Za-z_$][\w$]*)=([\s\S]*)$/.exec(text);
	if (match === null) throw new CodedError("BAD_OPTION", `--set takes name=value, got "${text}"`);
	return { ...before, [match[1] ?? ""]: match[2] ?? "" };
}

async function run(names: readonly string[], flags: RunFlags, signal: AbortSignal): Promise<void> {
	// A second Ctrl-C ends at once, but in order: kernels that do not listen are killed with it.
	signal.addEventListener("abort", () => process.once("SIGINT", () => process.exit(130)));
	const project = findProject();
	const sources = await chosen(names, project);
	const own = sources.some((source) => dirname(resolve(source)) === project.notebooksDir);
	const { checkNotebooks, declaredParameters, earlierParameters, runNotebooks } = await import(
		"../../notebook/index.js"
	);
	const texts: Record<string, string> = { ...flags.set };
	const notebooks = await checkNotebooks(sources, texts);
	if (flags.profile !== undefined) {
		if ((texts.profile ?? flags.profile) !== flags.profile) {
			throw new CodedError("BAD_OPTION", `--profile ${flags.profile} and --set profile=${texts.profile} differ`);
		}
		const takes = [...notebooks.values()].some((notebook) =>
			declaredParameters(notebook).some(({ name }) => name === "profile"),
		);
		if (takes) texts.profile = flags.profile;
	}
	const { runDir, earlierDir } = await place(flags, own, signal);
	const parameters = flags.resume === true ? { ...(await earlierParameters(sources, runDir)), ...texts } : texts;
	const profile = flags.profile ?? parameters.profile ?? (own ? "quick" : undefined);
	const { createRunProgress } = await import("../run-progress.js");
	const progress = createRunProgress();
	const limits: Pick<RunOptions, "cellLimitMs" | "runLimitMs"> = {
		cellLimitMs: flags.cellLimit === undefined ? undefined : flags.cellLimit * 1_000,
		runLimitMs: flags.runLimit === undefined ? undefined : flags.runLimit * 1_000,
	};
	const result = await runNotebooks(sources, {
		...limits,
		parameters,
		outDir: runDir,
		earlierDir,
		resume: flags.resume === true,
		env: {
			WORKBOOK_RUN_DIR: resolve(runDir),
			...(profile === undefined ? {} : { WORKBOOK_PROFILE: profile }),
			...(flags.startLimit === undefined ? {} : { [START_LIMIT_VARIABLE]: String(flags.startLimit) }),
		},
		kernel: flags.startLimit === undefined ? {} : { startLimitMs: flags.startLimit * 1_000 },
		facts: profile === undefined ? {} : { profile },
		hooks: progress.hooks,
		onPlan: progress.onPlan,
		signal,
	}).finally(progress.stop);
	const last = result.notebooks.at(-1);
	if (last?.failure !== undefined)
		throw stopped(last.source, last.target, last.failure, [
			...names,
			...(flags.out === undefined ? [] : ["--out", flags.out]),
		]);
	if (own) for (const line of await aside("summary", { runDir }, signal)) process.stdout.write(`${line}\n`);
}

/** The notebooks that were named, or all of the project in the order of their names. */
async function chosen(names: readonly string[], { notebooksDir }: Project): Promise<readonly string[]> {
	const found = (await readdir(notebooksDir).catch(() => [])).filter((name) => name.endsWith(".ipynb")).sort();
	if (names.length === 0) {
		if (found.length > 0) return found.map((name) => relative(process.cwd(), join(notebooksDir, name)));
		throw new CodedError("NO_NOTEBOOKS", `there are no notebooks in ${notebooksDir}`, { hint: "name some" });
	}
	return names.map((name) => {
		if (existsSync(name)) return name;
		const short = found.find((candidate) => candidate === name || candidate === `${name}.ipynb`);
		if (short !== undefined) return relative(process.cwd(), join(notebooksDir, short));
		const list = found.map((candidate) => basename(candidate, ".ipynb")).join(", ");
		throw new CodedError("UNKNOWN_NOTEBOOK", `there is no notebook ${name}`, {
			hint: list === "" ? "give the path of an .ipynb file" : `notebooks of the workbook: ${list}`,
		});
	});
}

/** Where the copies go. The workbook's own notebooks need a run's folder, and store and models made before. */
async function place(flags: RunFlags, own: boolean, signal: AbortSignal): Promise<RunPlace> {
	if (!own && flags.profile === undefined && flags.out !== undefined)
		return { runDir: flags.out, earlierDir: undefined };
	const progress = createProgress();
	const { profile, out: outDir, resume = false } = flags;
	const task = { profile: profile ?? (own ? flags.set?.profile : undefined), assets: own, resume, outDir };
	return aside("prepare", task, signal, progress.update).finally(progress.stop);
}

/** A word as a shell takes it: quoted where it has to be. */
function forShell(word: string): string {
	return /^[\p{L}\p{N}_./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function stopped(
	source: string,
	target: string,
	{ kind, message, hint, cellNumber }: RunFailure,
	words: readonly string[],
): CodedError {
	const where = `${basename(source)}, code cell ${cellNumber}`;
	const advice = [
		...(hint === undefined ? [] : [hint]),
		`executed copy: ${target}`,
		["continue: npx workbook run", ...words.map(forShell), "--resume"].join(" "),
	].join("\n  ");
	return kind === "interrupted"
		? new CodedError("INTERRUPTED", `interrupted at ${where}`, { hint: advice, exitCode: 130 })
		: new CodedError("NOTEBOOK_FAILED", `${where}: ${message}`, { hint: advice, exitCode: 1 });
}

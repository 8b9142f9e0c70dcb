import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { CodedError } from "../base/index.js";
import { clearExecution, copyStatus, earlierDurations, fingerprint, givenParameters } from "./copy.js";
import { executeNotebook } from "./execute.js";
import { pageOf, writePage } from "./executed-copy.js";
import type { Notebook } from "./format.js";
import { isJavaScript } from "./language.js";
import type { ExecuteOptions, NotebookResult } from "./options.js";
import { checkParameters, injectParameters, type ParameterTexts } from "./parameters.js";
import { readNotebook } from "./read.js";
import type { TimedNotebook } from "./timing.js";

export interface RunOptions extends ExecuteOptions {
	/** Folder of the executed copies; made when it is not there. */
	readonly outDir: string;
	/** Start at the first notebook whose copy in `outDir` is not finished, or is of another version of it. @default false */
	readonly resume?: boolean;
	/** Executed copies of an earlier run, for the estimate of the time left. @default those in `outDir` */
	readonly earlierDir?: string | undefined;
	/** Time for all notebooks together. @default no limit */
	readonly runLimitMs?: number | undefined;
	/** Called once, when everything has been checked and before the first kernel starts. */
	readonly onPlan?: (plan: RunPlan) => void;
}

export interface RunPlan {
	/** What will run, in order. */
	readonly notebooks: readonly (TimedNotebook & { readonly source: string; readonly target: string })[];
	/** What `resume` found finished. */
	readonly finished: readonly string[];
}

export interface RunResult {
	/** Of the notebooks that ran, in order; the last one may have failed. */
	readonly notebooks: readonly NotebookResult[];
	readonly status: NotebookResult["status"];
	readonly durationMs: number;
}

/**
 * Executes notebooks in order, each in a fresh kernel, into `outDir`, and stops at the first that fails. Everything
 * that can be wrong with the request is found before the first kernel starts.
 *
 * @throws {CodedError} `NO_NOTEBOOKS`, `SAME_NAME`, `OUTPUT_IS_SOURCE`, `UNKNOWN_PARAMETER`, and those of
 *   `executeNotebook`.
 */
export async function runNotebooks(sources: readonly string[], options: RunOptions): Promise<RunResult> {
	const { outDir, resume = false, earlierDir = outDir, runLimitMs, onPlan, ...each } = options;
	const { parameters = {} } = each;
	const startedMs = performance.now();
	const targets = targetsOf(sources, outDir);
	const notebooks = await checkNotebooks(sources, parameters);
	const planned = [];
	for (const [source, notebook] of notebooks) {
		const target = targets.get(source) ?? "";
		const expected = fingerprint(notebook, parameters);
		const done = resume && planned.length === 0 && (await finishedAlready(target, expected));
		if (done) {
			if (each.html !== false && !existsSync(pageOf(target)))
				await writePage(await readNotebook(target), source, target);
			continue;
		}
		const before = await copyAt(join(earlierDir, basename(target)));
		const earlier = before === undefined ? new Map<string, number>() : earlierDurations(before);
		injectParameters(notebook, parameters); // now it has the cells that will run
		const cellIds = notebook.cells.filter((cell) => cell.cell_type === "code").map((cell) => cell.id);
		planned.push({ source, target, cellIds, earlier });
	}
	const pending = new Set(planned.map(({ source }) => source));
	onPlan?.({ notebooks: planned, finished: sources.filter((source) => !pending.has(source)) });
	const results: NotebookResult[] = [];
	for (const { source, target } of planned) {
		const left = runLimitMs === undefined ? undefined : Math.max(0, runLimitMs - (performance.now() - startedMs));
		const result = await executeNotebook(source, target, { ...each, runLimitMs: left });
		results.push(result);
		if (result.status !== "finished") break;
	}
	const status = results.at(-1)?.status ?? "finished";
	return { notebooks: results, status, durationMs: performance.now() - startedMs };
}

/**
 * Reads all notebooks of a run, without what an earlier execution left in them, and checks that they can run with these
 * values.
 *
 * @throws {CodedError} `UNKNOWN_NOTEBOOK`, `BAD_NOTEBOOK`, `UNSUPPORTED_KERNEL`, `UNKNOWN_PARAMETER`, `BAD_PARAMETER`.
 */
export async function checkNotebooks(
	sources: readonly string[],
	parameters: ParameterTexts = {},
): Promise<ReadonlyMap<string, Notebook>> {
	const notebooks = new Map<string, Notebook>();
	for (const source of sources) {
		const notebook = await readNotebook(source);
		isJavaScript(notebook, source);
		clearExecution(notebook);
		notebooks.set(source, notebook);
	}
	checkParameters(parameters, notebooks);
	return notebooks;
}

/** The values that were set from outside when a run's first copy was made; `{}` where there is none. */
export async function earlierParameters(sources: readonly string[], outDir: string): Promise<ParameterTexts> {
	for (const source of sources) {
		const copy = await copyAt(join(outDir, basename(source)));
		if (copy !== undefined) return givenParameters(copy);
	}
	return {};
}

/** Where each copy goes; two notebooks must not share one, and none may be its own. */
function targetsOf(sources: readonly string[], outDir: string): Map<string, string> {
	if (sources.length === 0) throw new CodedError("NO_NOTEBOOKS", "there is no notebook to run");
	const targets = new Map<string, string>();
	const owners = new Map<string, string>();
	for (const source of sources) {
		const target = join(outDir, basename(source));
		if (resolve(target) === resolve(source)) {
			throw new CodedError("OUTPUT_IS_SOURCE", `the executed copy of ${source} would overwrite it`, {
				hint: "choose another folder with --out",
			});
		}
		const owner = owners.get(target);
		if (owner !== undefined && resolve(owner) !== resolve(source)) {
			throw new CodedError("SAME_NAME", `${owner} and ${source} would have the same executed copy ${target}`, {
				hint: "run them one after the other, with different --out folders",
			});
		}
		owners.set(target, source);
		targets.set(source, target);
	}
	return targets;
}

async function finishedAlready(target: string, expected: string): Promise<boolean> {
	const copy = await copyAt(target);
	return copy !== undefined && copyStatus(copy, expected) === "finished";
}

/** undefined also for a file that is no notebook: it is replaced. */
async function copyAt(path: string): Promise<Notebook | undefined> {
	return existsSync(path) ? readNotebook(path).catch(() => undefined) : undefined;
}

import { dirname, resolve } from "node:path";
import { markFailure } from "./banner.js";
import { type CopyMetadata, clearExecution, fingerprint } from "./copy.js";
import { type CopyEnvironment, copyEnvironment } from "./environment.js";
import type { CodeCell, Notebook } from "./format.js";
import type { NotebookEvent, RunFailure, RunStatus } from "./hooks.js";
import type { ExecuteOptions } from "./options.js";
import { injectParameters } from "./parameters.js";
import { readNotebook } from "./read.js";
import { pageText } from "./render.js";
import { makeFolder, notebookText, saveWhole } from "./write.js";

/** The copy of a notebook that is being executed: in memory what is shown so far, on disk what was saved last. */
export class ExecutedCopy {
	readonly notebook: Notebook;
	/** Code cells in their order, each with its number from 1. */
	readonly numbers: ReadonlyMap<CodeCell, number>;
	readonly event: NotebookEvent;
	readonly startedMs = performance.now();
	readonly #startedAt = new Date().toISOString();
	readonly #fixed: Pick<CopyMetadata, "environment" | "parameters" | "given" | "facts" | "fingerprint">;

	private constructor(
		source: string,
		target: string,
		notebook: Notebook,
		options: ExecuteOptions,
		at: CopyEnvironment,
	) {
		const { parameters = {}, facts = {} } = options;
		this.notebook = notebook;
		clearExecution(notebook);
		const print = fingerprint(notebook, parameters);
		const values = injectParameters(notebook, parameters);
		this.#fixed = { environment: at, parameters: values, given: parameters, facts, fingerprint: print };
		const code = notebook.cells.filter((cell) => cell.cell_type === "code");
		this.numbers = new Map(code.map((cell, index) => [cell, index + 1]));
		this.event = { source, target, cells: code.length };
	}

	/** Reads the notebook, takes out what an earlier execution left, and saves the copy for the first time. */
	static async create(source: string, target: string, options: ExecuteOptions): Promise<ExecutedCopy> {
		const notebook = await readNotebook(source);
		const environment = await copyEnvironment(dirname(resolve(source)));
		const copy = new ExecutedCopy(source, target, notebook, options, environment);
		await makeFolder(dirname(target));
		await copy.save("running");
		return copy;
	}

	get elapsedMs(): number {
		return performance.now() - this.startedMs;
	}

	numberOf(cell: CodeCell): number {
		return this.numbers.get(cell) ?? 0;
	}

	async save(status: RunStatus): Promise<void> {
		const ended = { endedAt: new Date().toISOString(), durationMs: roundedMs(this.elapsedMs) };
		const metadata: CopyMetadata = {
			...this.#fixed,
			startedAt: this.#startedAt,
			status,
			...(status === "running" ? {} : ended),
		};
		this.notebook.metadata.workbook = metadata;
		await saveWhole(this.event.target, notebookText(this.notebook));
	}

	/** The last save, with the banner of what stopped the run. */
	async finish(status: RunStatus, failure: RunFailure | undefined): Promise<void> {
		if (failure !== undefined) markFailure(this.notebook, failure);
		await this.save(status);
	}

	/** The page beside the copy. */
	async writePage(): Promise<string> {
		return writePage(this.notebook, this.event.source, this.event.target);
	}
}

/** Where the page of an executed copy is. */
export function pageOf(target: string): string {
	return `${target.replace(/\.ipynb$/, "")}.html`;
}

/** Writes the page of a notebook beside its executed copy and returns its path. */
export async function writePage(notebook: Notebook, source: string, target: string): Promise<string> {
	await saveWhole(pageOf(target), await pageText(notebook, source));
	return pageOf(target);
}

export function roundedMs(ms: number): number {
	return Math.round(ms * 1_000) / 1_000;
}

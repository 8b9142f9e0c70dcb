import { dirname, resolve } from "node:path";
import { CodedError } from "../base/index.js";
import type { CellTimes } from "./copy.js";
import { ExecutedCopy, roundedMs } from "./executed-copy.js";
import { errorLine } from "./failure.js";
import { type CodeCell, hasTag } from "./format.js";
import type { CellEvent, CellStatus, RunFailure, RunHooks } from "./hooks.js";
import { Kernel } from "./kernel.js";
import { isJavaScript } from "./language.js";
import { executeWithin, type Outcome, type StopReason } from "./limits.js";
import type { ExecuteOptions, NotebookResult } from "./options.js";
import { NotebookOutputs } from "./outputs.js";

/** Errors in timers just set by the last cell still count. */
const SETTLE_MS = 200;

/**
 * Executes a notebook in a fresh kernel and keeps a copy that is whole on disk after every cell. A failing cell stops
 * the run; the result says which and why. The copy then has a banner on top.
 *
 * @throws {CodedError} `UNKNOWN_NOTEBOOK`, `BAD_NOTEBOOK`, `UNSUPPORTED_KERNEL`, `BAD_PARAMETER`,
 *   `OUTPUT_NOT_WRITABLE`, `DISK_FULL`, `KERNEL_NOT_STARTED`.
 */
export async function executeNotebook(
	source: string,
	target: string,
	options: ExecuteOptions = {},
): Promise<NotebookResult> {
	return new NotebookRun(await ExecutedCopy.create(source, target, options), options).run();
}

class NotebookRun {
	readonly #copy: ExecutedCopy;
	readonly #options: ExecuteOptions;
	readonly #hooks: RunHooks;
	readonly #outputs: NotebookOutputs;
	#requestId = "";
	/** A cell that threw where nobody was waiting for it, with what it threw. */
	#unseen: { readonly cell: CodeCell; readonly message: string } | undefined;

	constructor(copy: ExecutedCopy, options: ExecuteOptions) {
		this.#copy = copy;
		this.#options = options;
		this.#hooks = options.hooks ?? {};
		this.#outputs = new NotebookOutputs(options.maxOutputCharacters ?? 4_000_000);
	}

	async run(): Promise<NotebookResult> {
		const { event, notebook } = this.#copy;
		const { env = {}, kernel: kernelOptions = {}, html = true } = this.#options;
		const javascript = isJavaScript(notebook, event.source);
		this.#hooks.onNotebookStart?.(event);
		const kernel = await Kernel.start(
			{ cwd: dirname(resolve(event.source)), env, javascript, ...kernelOptions },
			{
				onMessage: (requestId, message) => this.#changed(this.#outputs.add(requestId, message)),
				onRawOutput: (name, text) => this.#changed(this.#outputs.addText(this.#requestId, name, text)),
				onUnseenError: ({ requestId, name, message }) => {
					const cell = this.#outputs.cellOf(requestId);
					if (cell !== undefined && !mayFail(cell)) this.#unseen ??= { cell, message: `${name}: ${message}` };
				},
			},
		);
		let failure: RunFailure | undefined;
		try {
			notebook.metadata.language_info = { name: "typescript", ...kernel.languageInfo };
			this.#hooks.onKernelReady?.({ ...event, pid: kernel.pid });
			failure = await this.#runCells(kernel);
			await kernel.shutdown();
		} catch (error) {
			await kernel.kill();
			throw error;
		}
		const status = failure === undefined ? "finished" : failure.kind === "interrupted" ? "interrupted" : "failed";
		await this.#copy.finish(status, failure);
		const page = html ? await this.#copy.writePage() : undefined;
		const result = { ...event, html: page, status, durationMs: this.#copy.elapsedMs, failure } as const;
		this.#hooks.onNotebookEnd?.(result);
		return result;
	}

	async #runCells(kernel: Kernel): Promise<RunFailure | undefined> {
		for (const cell of this.#copy.numbers.keys()) {
			const failure = await this.#runCell(kernel, cell);
			const unseen = this.#unseenFailure();
			await this.#copy.save("running");
			this.#hooks.onSaved?.(this.#copy.event);
			if (failure !== undefined || unseen !== undefined) return unseen ?? failure;
		}
		await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
		return this.#unseenFailure();
	}

	async #runCell(kernel: Kernel, cell: CodeCell): Promise<RunFailure | undefined> {
		const { signal, cellLimitMs, runLimitMs, interruptGraceMs = 5_000 } = this.#options;
		const event = this.#cellEvent(cell);
		if (signal?.aborted === true) return this.#failure("interrupted", cell, "interrupted before this cell");
		if (hasTag(cell, "skip-execution") || cell.source.trim() === "") {
			cell.metadata.workbook = { status: "skipped" } satisfies CellTimes;
			this.#hooks.onCellEnd?.({ ...event, status: "skipped", durationMs: 0 });
			return undefined;
		}
		this.#hooks.onCellStart?.(event);
		const startedAt = new Date().toISOString();
		const startedMs = performance.now();
		let failure: RunFailure | undefined;
		try {
			const runLeftMs = runLimitMs === undefined ? undefined : runLimitMs - this.#copy.elapsedMs;
			const onSent = (requestId: string) => {
				this.#requestId = requestId;
				this.#outputs.open(requestId, cell);
			};
			const rules = { cellLimitMs, runLeftMs, signal, graceMs: interruptGraceMs };
			failure = this.#judge(cell, await executeWithin(kernel, cell.source, onSent, rules));
		} catch (error) {
			if (!(error instanceof CodedError)) throw error;
			const kind = error.code === "KERNEL_DIED" ? "kernel-died" : "lost-message";
			failure = this.#failure(kind, cell, error.message, error.hint);
			this.#showFailure(cell, failure);
		}
		const durationMs = performance.now() - startedMs;
		const status: CellStatus = failure === undefined ? "finished" : "failed";
		const endedAt = new Date().toISOString();
		cell.metadata.workbook = { status, startedAt, endedAt, durationMs: roundedMs(durationMs) } satisfies CellTimes;
		this.#hooks.onCellEnd?.({ ...event, status, durationMs });
		return failure;
	}

	#judge(cell: CodeCell, { reply, stopped }: Outcome): RunFailure | undefined {
		cell.execution_count = reply?.executionCount ?? null;
		if (reply?.status === "ok") return undefined;
		if (stopped !== undefined) {
			const failure = this.#failure(stopped, cell, this.#stopMessage(stopped, reply === undefined));
			this.#showFailure(cell, failure);
			return failure;
		}
		return mayFail(cell) ? undefined : this.#failure("cell-error", cell, errorLine(cell));
	}

	#stopMessage(reason: StopReason, killed: boolean): string {
		const { cellLimitMs = 0 } = this.#options;
		const what = {
			"cell-limit": `the cell took longer than its limit of ${cellLimitMs / 1_000} s`,
			"run-limit": "the time limit of the run was reached",
			interrupted: "interrupted",
		}[reason];
		return killed ? `${what}; it did not react to an interrupt, so its kernel was killed` : what;
	}

	#unseenFailure(): RunFailure | undefined {
		if (this.#unseen === undefined) return undefined;
		const { cell, message } = this.#unseen;
		const times = cell.metadata.workbook;
		cell.metadata.workbook = { ...(typeof times === "object" ? times : {}), status: "failed" };
		return this.#failure("unseen-error", cell, `${message} (thrown where nothing was waiting for it)`);
	}

	#failure(kind: RunFailure["kind"], cell: CodeCell, message: string, hint?: string): RunFailure {
		return { kind, message, hint, cellId: cell.id, cellNumber: this.#copy.numberOf(cell) };
	}

	/** What the kernel could not say itself is said in the cell's output. */
	#showFailure(cell: CodeCell, { kind, message, hint }: RunFailure): void {
		const traceback = hint === undefined ? [message] : [message, hint];
		cell.outputs.push({ output_type: "error", ename: kind, evalue: message, traceback });
	}

	#changed(cell: CodeCell | undefined): void {
		if (cell !== undefined) this.#hooks.onCellOutput?.(this.#cellEvent(cell));
	}

	#cellEvent(cell: CodeCell): CellEvent {
		return { ...this.#copy.event, cell, cellNumber: this.#copy.numberOf(cell) };
	}
}

function mayFail(cell: CodeCell): boolean {
	return hasTag(cell, "raises-exception");
}

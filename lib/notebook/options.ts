import type { RunFailure, RunHooks, RunStatus } from "./hooks.js";
import type { KernelOptions } from "./kernel.js";
import type { ParameterTexts } from "./parameters.js";

export interface ExecuteOptions {
	/** Values for parameters that the notebook declares; names it does not know are ignored here. */
	readonly parameters?: ParameterTexts;
	/** Added to the kernel's environment. */
	readonly env?: Readonly<Record<string, string>>;
	/** A cell that takes longer is stopped and the run fails. @default no limit */
	readonly cellLimitMs?: number | undefined;
	/** The same for the notebook as a whole. @default no limit */
	readonly runLimitMs?: number | undefined;
	/** Characters of output a cell keeps; the rest is left out with a note. @default 4 000 000 */
	readonly maxOutputCharacters?: number;
	/** Interrupts the running cell and stops. */
	readonly signal?: AbortSignal | undefined;
	readonly hooks?: RunHooks;
	/** Goes into the copy's metadata. */
	readonly facts?: Readonly<Record<string, unknown>>;
	/** How long an interrupted cell may take to stop before its kernel is killed. @default 5 000 */
	readonly interruptGraceMs?: number;
	/** Write a page beside the copy that opens in any browser. @default true */
	readonly html?: boolean;
	readonly kernel?: Partial<Pick<KernelOptions, "command" | "startLimitMs" | "lostMessageMs" | "endGraceMs">>;
}

export interface NotebookResult {
	readonly source: string;
	readonly target: string;
	/** The page beside the copy. */
	readonly html: string | undefined;
	readonly status: Exclude<RunStatus, "running">;
	readonly durationMs: number;
	readonly failure: RunFailure | undefined;
}

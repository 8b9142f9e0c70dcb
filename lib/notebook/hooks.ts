import type { CodeCell } from "./format.js";

/** How a cell ended. `skipped`: tagged `skip-execution`, or empty. */
export type CellStatus = "finished" | "failed" | "skipped";
export type RunStatus = "running" | "finished" | "failed" | "interrupted";

/** Why a run stopped. */
export interface RunFailure {
	/**
	 * `cell-error`: the cell failed. `unseen-error`: it threw where nobody waited. `cell-limit`, `run-limit`: it took too
	 * long. `kernel-died`, `lost-message`: the kernel is to blame. `interrupted`: somebody pressed Ctrl-C.
	 */
	readonly kind:
		| "cell-error"
		| "unseen-error"
		| "cell-limit"
		| "run-limit"
		| "kernel-died"
		| "lost-message"
		| "interrupted";
	readonly message: string;
	readonly hint?: string | undefined;
	readonly cellId: string;
	/** Position among the code cells, from 1. */
	readonly cellNumber: number;
}

export interface NotebookEvent {
	/** The notebook as it was given. */
	readonly source: string;
	/** Where its executed copy is. */
	readonly target: string;
	/** Code cells in it. */
	readonly cells: number;
}

export interface CellEvent extends NotebookEvent {
	readonly cell: CodeCell;
	/** Position among the code cells, from 1. */
	readonly cellNumber: number;
}

export interface CellEndEvent extends CellEvent {
	readonly status: CellStatus;
	readonly durationMs: number;
}

export interface NotebookEndEvent extends NotebookEvent {
	readonly status: RunStatus;
	readonly durationMs: number;
	readonly failure?: RunFailure | undefined;
}

/** Called as things happen, never awaited; a hook that throws ends the run with its error. */
export interface RunHooks {
	readonly onNotebookStart?: (event: NotebookEvent) => void;
	readonly onKernelReady?: (event: NotebookEvent & { readonly pid: number }) => void;
	readonly onCellStart?: (event: CellEvent) => void;
	/** The cell's outputs have changed; also after its end, when something late arrived. */
	readonly onCellOutput?: (event: CellEvent) => void;
	readonly onCellEnd?: (event: CellEndEvent) => void;
	/** The executed copy on disk is up to date. */
	readonly onSaved?: (event: NotebookEvent) => void;
	readonly onNotebookEnd?: (event: NotebookEndEvent) => void;
}

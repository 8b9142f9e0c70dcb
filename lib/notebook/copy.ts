import { createHash } from "node:crypto";
import { isBannerCell } from "./banner.js";
import type { CopyEnvironment } from "./environment.js";
import { type Cell, hasTag, type Notebook } from "./format.js";
import type { CellStatus, RunStatus } from "./hooks.js";
import type { ParameterTexts, ParameterValue } from "./parameters.js";

/** `metadata.workbook` of an executed copy. Times are ISO 8601, UTC. */
export interface CopyMetadata {
	readonly environment: CopyEnvironment;
	readonly parameters: Readonly<Record<string, ParameterValue>>;
	/** The values set from outside, as they were typed, also for other notebooks of the run. */
	readonly given: ParameterTexts;
	/** What else the caller wants to be known of this run, a seed for instance. */
	readonly facts: Readonly<Record<string, unknown>>;
	/** Identifies notebook and parameters, so that `--resume` knows whether a copy is of what would run now. */
	readonly fingerprint: string;
	readonly startedAt: string;
	readonly status: RunStatus;
	readonly endedAt?: string;
	readonly durationMs?: number;
}

/** `metadata.workbook` of a cell in an executed copy. */
export interface CellTimes {
	readonly status: CellStatus;
	readonly startedAt?: string;
	readonly endedAt?: string;
	readonly durationMs?: number;
}

/** Takes out what an earlier execution left: outputs, counts, times, banners. */
export function clearExecution(notebook: Notebook): void {
	notebook.cells = notebook.cells.filter((cell) => !isBannerCell(cell) && !hasTag(cell, "injected-parameters"));
	for (const cell of notebook.cells) {
		delete cell.metadata.workbook;
		delete cell.metadata.execution;
		delete cell.metadata.papermill;
		if (cell.cell_type !== "code") continue;
		cell.outputs = [];
		cell.execution_count = null;
	}
	delete notebook.metadata.workbook;
	delete notebook.metadata.papermill;
}

/** sha256 over what decides an execution: the cells' kinds, tags and sources, and the values set from outside. */
export function fingerprint(notebook: Notebook, parameters: ParameterTexts): string {
	const cells = notebook.cells.map((cell: Cell) => [cell.cell_type, cell.metadata.tags ?? [], cell.source]);
	const values = Object.entries(parameters).sort(([left], [right]) => (left < right ? -1 : 1));
	return createHash("sha256")
		.update(JSON.stringify([cells, values]))
		.digest("hex");
}

/** How far the copy got, when it is one of this notebook with these parameters. */
export function copyStatus(copy: Notebook, expected: string): RunStatus | undefined {
	const { workbook } = copy.metadata;
	if (typeof workbook !== "object" || workbook === null) return undefined;
	if (!("fingerprint" in workbook) || workbook.fingerprint !== expected || !("status" in workbook)) return undefined;
	const { status } = workbook;
	return status === "finished" || status === "failed" || status === "interrupted" || status === "running"
		? status
		: undefined;
}

/** What was set from outside when the copy was made. */
export function givenParameters(copy: Notebook): ParameterTexts {
	const { workbook } = copy.metadata;
	if (typeof workbook !== "object" || workbook === null || !("given" in workbook)) return {};
	const texts = Object.entries(workbook.given ?? {}).filter(
		(entry): entry is [string, string] => typeof entry[1] === "string",
	);
	return Object.fromEntries(texts);
}

/** How long each code cell took in an earlier copy, by id, ms. */
export function earlierDurations(copy: Notebook): Map<string, number> {
	const durations = new Map<string, number>();
	for (const { id, metadata } of copy.cells) {
		const { workbook } = metadata;
		if (typeof workbook !== "object" || workbook === null || !("durationMs" in workbook)) continue;
		if (typeof workbook.durationMs === "number") durations.set(id, workbook.durationMs);
	}
	return durations;
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { CellOutput, ExecuteRequest } from "./cell-output.js";

/** The request that is being answered. */
export const requests = new AsyncLocalStorage<ExecuteRequest>();
/** The cell whose code, or timer, or event runs. */
export const cells = new AsyncLocalStorage<CellOutput>();

let started: CellOutput | undefined;

/** The cell that started last; it may be done. */
export function latestCell(): CellOutput | undefined {
	return started;
}

export function cellStarted(cell: CellOutput): void {
	started = cell;
}

/** The cell that what runs now belongs to. */
export function here(): CellOutput | undefined {
	return cells.getStore() ?? started;
}

import type { FinishedRun } from "../../record/index.js";
import type { Numbers } from "../numbers.js";

/** Numbers of each run by its id. */
export type RunNumbers = ReadonlyMap<number, Numbers>;

/** One number of each run that has it, in the order of the runs. */
export const valuesOf = (runs: readonly FinishedRun[], numbers: RunNumbers, name: string): number[] =>
	runs.flatMap((run) => numbers.get(run.id)?.get(name) ?? []);

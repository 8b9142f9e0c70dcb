import { CodedError } from "../base/index.js";
import type { BitCheckRow, FinishedRun, ModelAloneRow, RecordReader, RunFilter } from "../record/index.js";
import { type CallFit, type CallPoint, fitPerCall, median, medianBySize, plateauSize } from "../stats/index.js";

/** Where the sentences take their numbers from. A `LabRun` is one. */
export interface Source {
	readonly record: RecordReader;
}

/** What notebook 01 says of one model, over its rounds. */
export interface Alone {
	readonly model: string;
	readonly rounds: readonly ModelAloneRow[];
	readonly points: readonly CallPoint[];
	/** Median time of one call by size, µs, ascending. */
	readonly bySize: readonly { readonly size: number; readonly us: number }[];
	readonly fit: CallFit;
	/** null: the plateau was not reached. */
	readonly plateau: number | null;
}

/** @throws {CodedError} `NOT_MEASURED` */
export function aloneOf({ record }: Source, model: string): Alone {
	const rounds = record.modelAlone(model);
	if (rounds.length === 0) throw notMeasured(`the model alone, for ${model}`, "run.modelAlone");
	const points = rounds.flatMap(({ round, sizes }) =>
		sizes.map(({ size, p50Ns }) => ({ size, us: p50Ns / 1000, round })),
	);
	return { model, rounds, points, bySize: medianBySize(points), fit: fitPerCall(points), plateau: plateauSize(points) };
}

/** Median time of a call with `size` rows, µs. @throws {CodedError} `NOT_MEASURED` */
export function callUs(alone: Alone, size: number): number {
	const found = alone.bySize.find((point) => point.size === size);
	if (found === undefined) throw notMeasured(`a call of ${size} rows of ${alone.model}`, "run.modelAlone");
	return found.us;
}

/** What one of `size` rows costs when they share a call, µs. @throws {CodedError} `NOT_MEASURED` */
export function rowUs(alone: Alone, size: number): number {
	return callUs(alone, size) / size;
}

/** The check with one thread, as the service runs. @throws {CodedError} `NOT_MEASURED` */
export function bitsOf({ record }: Source, model: string): BitCheckRow {
	const found = record.bitChecks(model).find(({ threads }) => threads === 1);
	if (found === undefined) throw notMeasured(`the bit check of ${model}`, "run.bitCheck");
	return found;
}

/** One number of every round's run, ascending by round; rounds in which it is not a number are left out. */
export function perRound(source: Source, filter: RunFilter, name: string): number[] {
	return runsOf(source, filter).flatMap(({ summary }) => {
		const value = summary[name];
		return typeof value === "number" && Number.isFinite(value) ? [value] : [];
	});
}

/** The runs that count, by round. Runs marked INVALID are no evidence and stay out. */
export function runsOf({ record }: Source, filter: RunFilter): FinishedRun[] {
	return record
		.finishedRuns(filter)
		.filter(({ verdict }) => verdict !== "INVALID")
		.sort((a, b) => a.round - b.round);
}

/** Median over rounds, or undefined where nothing was measured. */
export function over(values: readonly number[]): number | undefined {
	return values.length === 0 ? undefined : median(values);
}

export function notMeasured(what: string, how: string): CodedError {
	return new CodedError("NOT_MEASURED", `${what} has not been measured in this run yet`, {
		hint: `run the cell that calls ${how} first`,
		exitCode: 1,
	});
}

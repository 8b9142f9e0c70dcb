import { setImmediate as nextTurn } from "node:timers/promises";
import { CodedError } from "../base/index.js";
import { type BitDifference, compareBits, scoreBits } from "./bits.js";
import type { Column, ColumnSpec, Columns, Model } from "./types.js";

/** Rows to score: columns for every input, rows × width values each. */
export interface Rows {
	readonly columns: Columns;
	readonly rows: number;
}

export interface TaskOptions {
	readonly onProgress?: (event: { readonly done: number; readonly total: number; readonly text: string }) => void;
	/** Aborting rejects with `INTERRUPTED`. */
	readonly signal?: AbortSignal;
}

/** 2, 4, 8, … 1,024. */
export const POWERS_OF_TWO: readonly number[] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** A copy of `rows` rows from `start` on, since a call may be in flight while the caller goes on. */
export function sliceRows(inputs: readonly ColumnSpec[], columns: Columns, start: number, rows: number): Columns {
	const slices: Record<string, Column> = {};
	for (const { name, width } of inputs) {
		const column = columns[name];
		if (column === undefined) throw new CodedError("BAD_MODEL_INPUT", `input column "${name}" is missing`);
		slices[name] = column.slice(start * width, (start + rows) * width);
	}
	return slices;
}

function stopIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new CodedError("INTERRUPTED", "the bit check was interrupted", { exitCode: 130 });
}

/** Scores all rows in calls of `size` rows; the last call takes what is left. */
export async function scoresAtSize(
	model: Model,
	{ columns, rows }: Rows,
	size: number,
	{ onProgress, signal }: TaskOptions = {},
): Promise<Float32Array> {
	const scores = new Float32Array(rows);
	let reported = 0;
	for (let row = 0; row < rows; row += size) {
		const count = Math.min(size, rows - row);
		scores.set(await model.score(sliceRows(model.inputs, columns, row, count), count), row);
		if (row + count - reported < 1024 && row + count < rows) continue;
		reported = row + count;
		onProgress?.({ done: reported, total: rows, text: `calls of ${size} ${size === 1 ? "row" : "rows"}` });
		await nextTurn(); // a signal handler needs the loop
		stopIfAborted(signal);
	}
	return scores;
}

/**
 * The score of every row alone: what a batched score is held against, here and in every answer of the service.
 *
 * @returns float32, one a row; `scoreBits` gives their bit patterns.
 */
export function singleRowScores(model: Model, rows: Rows, options: TaskOptions = {}): Promise<Float32Array> {
	return scoresAtSize(model, rows, 1, options);
}

/** Of one size of call, over all rows. */
export interface SizeCheck extends BitDifference {
	readonly size: number;
}

export interface BitCheck {
	readonly model: string;
	readonly rows: number;
	/** Different bit patterns among the single-row scores. Few of them hide differences: the model is saturated. */
	readonly distinctScores: number;
	/** No row differs at any size. The tolerance is zero. */
	readonly identical: boolean;
	/** One entry a size, ascending; the last is all rows in one call. */
	readonly sizes: readonly SizeCheck[];
	/** The reference; not part of any JSON. */
	readonly singleRowScores: Float32Array;
}

export interface BitCheckOptions extends TaskOptions {
	/** Sizes of call to check beside all rows at once. @default 2, 4, 8 … 1,024 */
	readonly sizes?: readonly number[];
}

/**
 * Are batched scores the single-row scores, bit for bit? Scores all rows alone, then in calls of every size, then all
 * in one call, and compares the float32 bit patterns with no tolerance. Whether they differ depends on model, engine,
 * threads and processor, so it is measured, never assumed.
 *
 * @throws {CodedError} `BAD_OPTION` for a size that is no whole number of at least 1, `BAD_MODEL_INPUT`, `INTERRUPTED`.
 */
export async function bitCheck(model: Model, rows: Rows, options: BitCheckOptions = {}): Promise<BitCheck> {
	const { sizes = POWERS_OF_TWO, onProgress, signal } = options;
	const bad = sizes.find((size) => !Number.isSafeInteger(size) || size < 1);
	if (bad !== undefined) throw new CodedError("BAD_OPTION", `a size must be a whole number of at least 1, got ${bad}`);
	const planned = [...new Set([...sizes.filter((size) => size < rows.rows), rows.rows])].sort((a, b) => a - b);
	const total = (planned.length + 1) * rows.rows;
	const pass = (index: number): TaskOptions => ({
		...(signal ? { signal } : {}),
		onProgress: ({ done, text }) => onProgress?.({ done: index * rows.rows + done, total, text }),
	});
	const single = await singleRowScores(model, rows, pass(0));
	const checks: SizeCheck[] = [];
	for (const [index, size] of planned.entries())
		checks.push({ size, ...compareBits(single, await scoresAtSize(model, rows, size, pass(index + 1))) });
	return {
		model: model.name,
		rows: rows.rows,
		distinctScores: new Set(scoreBits(single)).size,
		identical: checks.every(({ differingRows }) => differingRows === 0),
		sizes: checks,
		singleRowScores: single,
	};
}

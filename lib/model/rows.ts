import { seededRandom, shuffled } from "../base/index.js";
import { FEATURE_COUNT, openStore } from "../shop/index.js";
import type { Assets } from "./assets/index.js";
import { type Rows, sliceRows } from "./bit-check.js";
import type { Column, ColumnSpec, Model } from "./types.js";

export interface ModelRows extends Rows {
	/** Where they are from, in words. */
	readonly source: string;
}

/** How many rows are made up for a model that does not take the shop's features. */
const MADE_UP_ROWS = 4096;

function madeUp({ type, width }: ColumnSpec, rows: number, random: () => number): Column {
	const length = rows * width;
	if (type === "float32") return Float32Array.from({ length }, () => 2 * random() - 1);
	if (type === "float64") return Float64Array.from({ length }, () => 2 * random() - 1);
	return type === "int32" ? new Int32Array(length) : new BigInt64Array(length);
}

/** The shop's features in a new order of rows. */
function reordered(features: Float32Array, order: readonly number[]): Float32Array {
	const result = new Float32Array(order.length * FEATURE_COUNT);
	for (const [place, row] of order.entries())
		result.set(features.subarray(row * FEATURE_COUNT, (row + 1) * FEATURE_COUNT), place * FEATURE_COUNT);
	return result;
}

function repeated(column: Column, times: number): Column {
	const length = column.length * times;
	if (column instanceof BigInt64Array)
		return BigInt64Array.from({ length }, (_, at) => column[at % column.length] ?? 0n);
	const value = (_: unknown, at: number) => column[at % column.length] ?? 0;
	if (column instanceof Float32Array) return Float32Array.from({ length }, value);
	return column instanceof Float64Array ? Float64Array.from({ length }, value) : Int32Array.from({ length }, value);
}

/** The first `count` rows, or all where there are fewer. */
export function firstRows(model: Model, rows: ModelRows, count: number): ModelRows {
	if (count >= rows.rows) return rows;
	return { ...rows, columns: sliceRows(model.inputs, rows.columns, 0, count), rows: count };
}

/** The same rows again until there are at least `fewest`, for calls larger than a small shop. */
export function atLeastRows(rows: ModelRows, fewest: number): ModelRows {
	const times = Math.ceil(fewest / rows.rows);
	if (times <= 1) return rows;
	const columns = Object.fromEntries(
		Object.entries(rows.columns).map(([name, column]) => [name, repeated(column, times)]),
	);
	return { ...rows, columns, rows: rows.rows * times };
}

/**
 * Rows to score a model with: all test rows of the shop for a model that takes its six features (one float32 input of
 * width 6, whatever its name), and made-up ones for any other – floats uniform in −1 … 1, whole numbers 0.
 *
 * @param seed Puts the shop's rows in random order, so that neighbours are not one customer's months; they keep the
 *   store's order without it. Also draws the made-up values. @default the store's order
 */
export function rowsFor(model: Model, assets: Assets, seed?: number): ModelRows {
	const [input, ...more] = model.inputs;
	if (input !== undefined && more.length === 0 && input.type === "float32" && input.width === FEATURE_COUNT) {
		const store = openStore(assets.storePath);
		const { features, rows } = store.testRows();
		store.close();
		const order = Array.from({ length: rows }, (_, row) => row);
		const column = seed === undefined ? features : reordered(features, shuffled(order, seededRandom(seed)));
		return { columns: { [input.name]: column }, rows, source: "test rows of the shop" };
	}
	const random = seededRandom(seed ?? 1);
	const columns = Object.fromEntries(model.inputs.map((spec) => [spec.name, madeUp(spec, MADE_UP_ROWS, random)]));
	return { columns, rows: MADE_UP_ROWS, source: "made-up rows (floats uniform in -1 … 1, whole numbers 0)" };
}

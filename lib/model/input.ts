import { CodedError } from "../base/index.js";
import type { Column, ColumnSpec, Columns, ColumnType } from "./types.js";

function typeOf(column: unknown): ColumnType | undefined {
	if (column instanceof Float32Array) return "float32";
	if (column instanceof Float64Array) return "float64";
	if (column instanceof Int32Array) return "int32";
	if (column instanceof BigInt64Array) return "int64";
	return undefined;
}

function describe(column: unknown): string {
	if (column === null) return "null";
	return typeof column === "object" ? (column.constructor?.name ?? "an object") : typeof column;
}

const ARRAY_NAME: Record<ColumnType, string> = {
	float32: "Float32Array",
	float64: "Float64Array",
	int32: "Int32Array",
	int64: "BigInt64Array",
};

function bad(message: string): CodedError {
	return new CodedError("BAD_MODEL_INPUT", message);
}

/** `x - x` is 0 for a finite x and NaN otherwise, so one sum answers for the whole column without a branch. */
function allFinite(column: Float32Array | Float64Array): boolean {
	let sum = 0;
	for (let index = 0; index < column.length; index++) {
		const value = column[index] as number;
		sum += value - value;
	}
	return sum === 0;
}

function checkColumn({ name, type, width }: ColumnSpec, column: Column | undefined, rows: number): Column {
	if (column === undefined) throw bad(`input column "${name}" is missing`);
	if (typeOf(column) !== type)
		throw bad(`input column "${name}" must be a ${ARRAY_NAME[type]}, got ${describe(column)}`);
	if (column.length !== rows * width)
		throw bad(
			`input column "${name}" of ${rows} rows must hold ${rows} × ${width} = ${rows * width} values, got ${column.length}`,
		);
	if ((column instanceof Float32Array || column instanceof Float64Array) && !allFinite(column)) {
		const index = column.findIndex((value) => !Number.isFinite(value));
		throw bad(
			`input column "${name}" must be finite, got ${column[index]} in row ${Math.floor(index / width)}, place ${index % width}`,
		);
	}
	return column;
}

/**
 * What stands between a caller and native code: every input there, of its type, rows × width long, and finite.
 * Columns that the model does not ask for are left alone.
 *
 * @returns the columns in the order of `inputs`.
 * @throws {CodedError} `BAD_MODEL_INPUT`, naming the column, the value and what was expected.
 */
export function checkInput(inputs: readonly ColumnSpec[], columns: Columns, rows: number): Column[] {
	if (!Number.isSafeInteger(rows) || rows < 1) throw bad(`rows must be a whole number of at least 1, got ${rows}`);
	return inputs.map((input) => checkColumn(input, columns[input.name], rows));
}

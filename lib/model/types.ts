/** Element types that a model input or output may have. */
export type ColumnType = "float32" | "float64" | "int32" | "int64";
export type Column = Float32Array | Float64Array | Int32Array | BigInt64Array;

/** One input or output of a model: `width` values a row, rows first (row-major). */
export interface ColumnSpec {
	readonly name: string;
	readonly type: ColumnType;
	/** Values a row; 6 for the shop's features, 1 for a scalar. */
	readonly width: number;
}

/** Columns by input name; each holds rows × width values, row-major. */
export type Columns = Readonly<Record<string, Column>>;

/**
 * What is scored. A model turns columns of `rows` rows into `rows` scores; nothing else in the workbook knows
 * what is inside. Invariant: `score` answers row i from row i alone, and never keeps a reference to its input.
 */
export interface Model {
	/** `gbt`, `ft`, `mlp`, or the file name of a user's own. */
	readonly name: string;
	readonly inputs: readonly ColumnSpec[];
	readonly outputs: readonly ColumnSpec[];
	/**
	 * Scores `rows` rows in one call. The result has exactly `rows` values (float32 for the workbook's own models).
	 *
	 * @throws {CodedError} `BAD_MODEL_INPUT` when a column is missing, of the wrong type or length, or not finite;
	 *   nothing reaches native code then.
	 */
	score(columns: Columns, rows: number): Promise<Float32Array>;
	/** Frees native memory; a later `score` rejects. */
	close(): Promise<void>;
}

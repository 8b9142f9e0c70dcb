import { CodedError } from "../base/index.js";
import { checkInput } from "./input.js";
import { Lifetime } from "./lifetime.js";
import type { ColumnSpec, Columns, Model } from "./types.js";

/** Scores `rows` rows; the columns have been checked against the inputs. One value a row comes back. */
export type ScoreFunction = (columns: Columns, rows: number) => ArrayLike<number> | Promise<ArrayLike<number>>;

/**
 * A model that is a function of yours: a call to another runtime, a formula, a double for a test.
 *
 * @throws {CodedError} from `score`: `BAD_MODEL_INPUT` before your function is called, `BAD_MODEL_OUTPUT` when it
 *   does not answer one value a row.
 *
 * @example
 * const model = functionModel("sum", [{ name: "x", type: "float32", width: 2 }], ({ x }, rows) =>
 *   Float32Array.from({ length: rows }, (_, row) => Number(x[2 * row]) + Number(x[2 * row + 1])));
 */
export function functionModel(name: string, inputs: readonly ColumnSpec[], score: ScoreFunction): Model {
	const lifetime = new Lifetime(name, async () => {});
	return {
		name,
		inputs,
		outputs: [{ name: "score", type: "float32", width: 1 }],
		async score(columns, rows) {
			lifetime.enter();
			try {
				checkInput(inputs, columns, rows);
				const scores = await score(columns, rows);
				if (scores.length !== rows)
					throw new CodedError(
						"BAD_MODEL_OUTPUT",
						`the model "${name}" must answer ${rows} rows with ${rows} scores, got ${scores.length}`,
					);
				return scores instanceof Float32Array ? scores : Float32Array.from(scores);
			} finally {
				lifetime.leave();
			}
		},
		close: () => lifetime.close(),
	};
}

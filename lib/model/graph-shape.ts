import type { InferenceSession } from "onnxruntime-node";
import { CodedError } from "../base/index.js";
import type { ColumnSpec, ColumnType } from "./types.js";

/** An input or output whose first length is the number of rows; `tail` are the lengths after it. */
export interface BatchedTensor extends ColumnSpec {
	readonly tail: readonly number[];
}

type Metadata = InferenceSession.ValueMetadata;

function bad(message: string, hint?: string): CodedError {
	return new CodedError("BAD_MODEL_FILE", message, hint === undefined ? {} : { hint });
}

function isColumnType(type: string): type is ColumnType {
	return type === "float32" || type === "float64" || type === "int32" || type === "int64";
}

function shapeText(shape: readonly (number | string)[]): string {
	return `[${shape.map((length) => (length === "" ? "?" : length)).join(", ")}]`;
}

/**
 * Reads one input or output as rows × width.
 *
 * @throws {CodedError} `BAD_MODEL_FILE` for anything but a tensor with one dynamic length, its first, naming the lengths.
 */
function batched(direction: "input" | "output", value: Metadata): BatchedTensor {
	const what = `${direction} "${value.name}"`;
	if (!value.isTensor)
		throw bad(`${what} is not a tensor`, "export the model without ZipMap (scikit-learn: options={'zipmap': False})");
	const { name, type, shape } = value;
	if (!isColumnType(type))
		throw bad(`${what} has elements of type ${type}; float32, float64, int32 and int64 can be used`);
	const [batch, ...rest] = shape;
	const tail = rest.filter((length): length is number => typeof length === "number");
	if (typeof batch !== "string" || tail.length !== rest.length)
		throw bad(
			`${what} has the lengths ${shapeText(shape)}; a model needs exactly one dynamic length, the first, for the rows of a batch`,
			"export the model with a dynamic first axis and fixed lengths after it",
		);
	return { name, type, tail, width: tail.reduce((product, length) => product * length, 1) };
}

/** All inputs, as rows × width; named dynamic lengths must have one name, since they are one number of rows. */
export function readInputs(metadata: readonly Metadata[]): BatchedTensor[] {
	const inputs = metadata.map((value) => batched("input", value));
	const lengths = new Set(metadata.flatMap((value) => (value.isTensor ? value.shape.slice(0, 1) : [])));
	lengths.delete("");
	if (lengths.size > 1)
		throw bad(
			`the inputs have different dynamic lengths (${[...lengths].map((length) => `"${length}"`).join(", ")}); a model needs exactly one, for the rows of a batch`,
		);
	if (inputs.length === 0) throw bad("the model has no input, so there is nothing to batch");
	return inputs;
}

/** The output that holds the scores, and which of its columns. */
export interface ScoreOutput {
	readonly output: BatchedTensor;
	readonly column: number;
}

/**
 * Finds the score: column 1 of a classifier's two probabilities, or the one float value a row.
 *
 * @throws {CodedError} `BAD_MODEL_FILE` when no output or more than one fits and none is named.
 */
export function readOutput(metadata: readonly Metadata[], name: string | undefined): ScoreOutput {
	const named = metadata.filter((value) => name === undefined || value.name === name);
	const names = metadata.map((value) => `"${value.name}"`).join(", ");
	if (named.length === 0) throw bad(`the model has no output "${name}"; it has ${names}`);
	const floats = named.filter((value) => value.isTensor && (value.type === "float32" || value.type === "float64"));
	const [only, ...more] = floats;
	if (only === undefined) {
		for (const value of named) batched("output", value); // says what is wrong with it, if its shape is
		throw bad(`no output of the model holds float scores; it has ${names}`);
	}
	if (more.length > 0)
		throw bad(`several outputs could be the score: ${floats.map((value) => `"${value.name}"`).join(", ")}`, "name one");
	const output = batched("output", only);
	if (output.width > 2)
		throw bad(`output "${output.name}" has ${output.width} values a row; a score is one value, or column 1 of two`);
	return { output, column: output.width - 1 };
}

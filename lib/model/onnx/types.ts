import type { ColumnType } from "../types.js";

/** A length, or the name of a length that is known only at run time (`"batch"`). */
export type Dimension = number | string;

/** A constant of the graph: weights, shapes, axes. `values.length` is the product of `dims`; no `dims` = a scalar. */
export interface Tensor {
	readonly name: string;
	readonly dims: readonly number[];
	/** The element type follows the array: Float32Array = float32, BigInt64Array = int64, … */
	readonly values: Float32Array | Float64Array | Int32Array | BigInt64Array;
}

/** The type is named, since 1 alone does not say whether an operator wants a float or an int. */
export type Attribute =
	| { readonly float: number }
	| { readonly int: number }
	| { readonly string: string }
	| { readonly tensor: Tensor }
	| { readonly floats: readonly number[] | Float32Array }
	| { readonly ints: readonly number[] | Int32Array }
	| { readonly strings: readonly string[] };

export interface GraphNode {
	/** `Gemm`, `Softmax`, `TreeEnsembleClassifier`, … */
	readonly opType: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	/** Operator set the operator is from. @default "" (ai.onnx) */
	readonly domain?: string;
	readonly name?: string;
	readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** An input or an output of the graph. */
export interface ValueInfo {
	readonly name: string;
	readonly type: ColumnType;
	readonly dims: readonly Dimension[];
}

export interface OnnxModel {
	/** Version of the file format. @default 8, which ONNX Runtime 1.12 and newer read */
	readonly irVersion?: number;
	readonly producerName?: string;
	readonly producerVersion?: string;
	/** One entry a domain that any node uses; `""` is the standard operators. */
	readonly opsets: readonly { readonly domain: string; readonly version: number }[];
	/** Free text about the model, written in the order of the keys. */
	readonly metadata?: Readonly<Record<string, string>>;
	readonly graph: {
		readonly name: string;
		readonly nodes: readonly GraphNode[];
		readonly inputs: readonly ValueInfo[];
		readonly outputs: readonly ValueInfo[];
		readonly initializers?: readonly Tensor[];
	};
}

import { endianness } from "node:os";
import protobuf from "protobufjs/light.js";
import { CodedError } from "../../base/index.js";
import type { ColumnType } from "../types.js";
import { ATTRIBUTE_TYPE, DATA_TYPE, onnxSchema } from "./schema.js";
import type { Attribute, GraphNode, OnnxModel, Tensor, ValueInfo } from "./types.js";

const modelProto = protobuf.Root.fromJSON(onnxSchema).lookupType("ModelProto");

function bad(message: string): CodedError {
	return new CodedError("BAD_ONNX_GRAPH", message);
}

function elementType(values: Tensor["values"]): ColumnType {
	if (values instanceof Float32Array) return "float32";
	if (values instanceof Float64Array) return "float64";
	return values instanceof Int32Array ? "int32" : "int64";
}

/** ONNX stores raw tensors in little-endian order whatever the machine is. */
function littleEndian(values: Tensor["values"]): Uint8Array {
	const bytes = Buffer.from(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength));
	if (endianness() === "LE") return bytes;
	return values.BYTES_PER_ELEMENT === 8 ? bytes.swap64() : bytes.swap32();
}

function tensorProto({ name, dims, values }: Tensor): object {
	const size = dims.reduce((product, length) => product * length, 1);
	if (size !== values.length)
		throw bad(`tensor "${name}" of shape [${dims.join(", ")}] needs ${size} values, got ${values.length}`);
	return { name, dims: [...dims], dataType: DATA_TYPE[elementType(values)], rawData: littleEndian(values) };
}

function whole(values: readonly number[] | Int32Array, name: string): number[] {
	return Array.from(values, (value) => {
		if (!Number.isSafeInteger(value)) throw bad(`attribute "${name}" takes whole numbers, got ${value}`);
		return value;
	});
}

function attributeProto(name: string, attribute: Attribute): object {
	if ("float" in attribute) return { name, f: attribute.float, type: ATTRIBUTE_TYPE.float };
	if ("int" in attribute) return { name, i: whole([attribute.int], name)[0], type: ATTRIBUTE_TYPE.int };
	if ("string" in attribute) return { name, s: Buffer.from(attribute.string), type: ATTRIBUTE_TYPE.string };
	if ("tensor" in attribute) return { name, t: tensorProto(attribute.tensor), type: ATTRIBUTE_TYPE.tensor };
	if ("floats" in attribute) return { name, floats: [...attribute.floats], type: ATTRIBUTE_TYPE.floats };
	if ("ints" in attribute) return { name, ints: whole(attribute.ints, name), type: ATTRIBUTE_TYPE.ints };
	return { name, strings: attribute.strings.map((text) => Buffer.from(text)), type: ATTRIBUTE_TYPE.strings };
}

function nodeProto({ opType, inputs, outputs, domain = "", name, attributes = {} }: GraphNode): object {
	return {
		input: [...inputs],
		output: [...outputs],
		name: name ?? outputs[0] ?? opType,
		opType,
		attribute: Object.entries(attributes).map(([key, attribute]) => attributeProto(key, attribute)),
		domain,
	};
}

function valueInfoProto({ name, type, dims }: ValueInfo): object {
	const dim = dims.map((length) => (typeof length === "string" ? { dimParam: length } : { dimValue: length }));
	return { name, type: { tensorType: { elemType: DATA_TYPE[type], shape: { dim } } } };
}

/** ONNX graphs are lists in topological order: every value is made exactly once, before it is used. */
function checkWiring({ opsets, graph }: OnnxModel): void {
	const made = new Set<string>();
	const make = (name: string, by: string) => {
		if (made.has(name)) throw bad(`value "${name}" is made twice, the second time by ${by}`);
		made.add(name);
	};
	for (const { name } of graph.inputs) make(name, "an input");
	for (const { name } of graph.initializers ?? []) make(name, "an initializer");
	const domains = new Set(opsets.map(({ domain }) => domain));
	for (const { opType, domain = "", inputs, outputs } of graph.nodes) {
		if (!domains.has(domain)) throw bad(`node ${opType} is from domain "${domain}", which no opset names`);
		for (const name of inputs)
			if (name !== "" && !made.has(name)) throw bad(`node ${opType} uses "${name}" before anything makes it`);
		for (const name of outputs) if (name !== "") make(name, `node ${opType}`);
	}
	for (const { name } of graph.outputs) if (!made.has(name)) throw bad(`output "${name}" is made by no node`);
}

/**
 * Writes a model as the bytes of an `.onnx` file. Equal models give equal bytes: nothing of the moment or the
 * machine goes in, and lists and keys keep their order.
 *
 * @throws {CodedError} `BAD_ONNX_GRAPH` for a value used before it is made or made twice, a domain without an opset,
 *   a tensor whose shape and values disagree, or a fractional int.
 *
 * @example
 * const bytes = encodeModel({
 *   opsets: [{ domain: "", version: 17 }],
 *   graph: {
 *     name: "sigmoid",
 *     inputs: [{ name: "x", type: "float32", dims: ["batch", 1] }],
 *     nodes: [{ opType: "Sigmoid", inputs: ["x"], outputs: ["score"] }],
 *     outputs: [{ name: "score", type: "float32", dims: ["batch", 1] }],
 *   },
 * });
 */
export function encodeModel(model: OnnxModel): Uint8Array {
	checkWiring(model);
	const { irVersion = 8, producerName = "batching-lab", producerVersion = "", opsets, metadata = {}, graph } = model;
	const message = modelProto.create({
		irVersion,
		producerName,
		producerVersion,
		opsetImport: opsets.map(({ domain, version }) => ({ domain, version })),
		metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
		graph: {
			name: graph.name,
			node: graph.nodes.map(nodeProto),
			initializer: (graph.initializers ?? []).map(tensorProto),
			input: graph.inputs.map(valueInfoProto),
			output: graph.outputs.map(valueInfoProto),
		},
	});
	return modelProto.encode(message).finish();
}

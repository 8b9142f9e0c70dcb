import type { INamespace } from "protobufjs/light.js";

/**
 * The messages of ONNX that a writer of plain tensor graphs needs, with the field numbers of `onnx.proto`
 * (onnx/onnx, IR version 8). What is left out (sub-graphs, sparse tensors, training) cannot be written by mistake.
 */
export const onnxSchema: INamespace = {
	nested: {
		ModelProto: {
			fields: {
				irVersion: { type: "int64", id: 1 },
				producerName: { type: "string", id: 2 },
				producerVersion: { type: "string", id: 3 },
				graph: { type: "GraphProto", id: 7 },
				opsetImport: { rule: "repeated", type: "OperatorSetIdProto", id: 8 },
				metadataProps: { rule: "repeated", type: "StringStringEntryProto", id: 14 },
			},
		},
		OperatorSetIdProto: { fields: { domain: { type: "string", id: 1 }, version: { type: "int64", id: 2 } } },
		StringStringEntryProto: { fields: { key: { type: "string", id: 1 }, value: { type: "string", id: 2 } } },
		GraphProto: {
			fields: {
				node: { rule: "repeated", type: "NodeProto", id: 1 },
				name: { type: "string", id: 2 },
				initializer: { rule: "repeated", type: "TensorProto", id: 5 },
				input: { rule: "repeated", type: "ValueInfoProto", id: 11 },
				output: { rule: "repeated", type: "ValueInfoProto", id: 12 },
			},
		},
		NodeProto: {
			fields: {
				input: { rule: "repeated", type: "string", id: 1 },
				output: { rule: "repeated", type: "string", id: 2 },
				name: { type: "string", id: 3 },
				opType: { type: "string", id: 4 },
				attribute: { rule: "repeated", type: "AttributeProto", id: 5 },
				domain: { type: "string", id: 7 },
			},
		},
		AttributeProto: {
			fields: {
				name: { type: "string", id: 1 },
				f: { type: "float", id: 2 },
				i: { type: "int64", id: 3 },
				s: { type: "bytes", id: 4 },
				t: { type: "TensorProto", id: 5 },
				floats: { rule: "repeated", type: "float", id: 7 },
				ints: { rule: "repeated", type: "int64", id: 8 },
				strings: { rule: "repeated", type: "bytes", id: 9 },
				type: { type: "int32", id: 20 },
			},
		},
		TensorProto: {
			fields: {
				dims: { rule: "repeated", type: "int64", id: 1 },
				dataType: { type: "int32", id: 2 },
				name: { type: "string", id: 8 },
				rawData: { type: "bytes", id: 9 },
			},
		},
		ValueInfoProto: { fields: { name: { type: "string", id: 1 }, type: { type: "TypeProto", id: 2 } } },
		TypeProto: {
			fields: { tensorType: { type: "Tensor", id: 1 } },
			nested: {
				Tensor: { fields: { elemType: { type: "int32", id: 1 }, shape: { type: "TensorShapeProto", id: 2 } } },
			},
		},
		TensorShapeProto: {
			fields: { dim: { rule: "repeated", type: "Dimension", id: 1 } },
			nested: {
				Dimension: { fields: { dimValue: { type: "int64", id: 1 }, dimParam: { type: "string", id: 2 } } },
			},
		},
	},
};

/** `AttributeProto.AttributeType`. */
export const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, tensor: 4, floats: 6, ints: 7, strings: 8 } as const;

/** `TensorProto.DataType` of the element types this writer knows. */
export const DATA_TYPE = { float32: 1, int32: 6, int64: 7, float64: 11 } as const;

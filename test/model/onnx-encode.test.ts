import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeModel, type OnnxModel } from "batching-lab/model";
import { InferenceSession, Tensor } from "onnxruntime-node";

/** Has every kind of attribute, initializer and domain that the writer knows. */
const everything: OnnxModel = {
	opsets: [
		{ domain: "", version: 17 },
		{ domain: "ai.onnx.ml", version: 3 },
	],
	metadata: { seed: "1", madeBy: "a test" },
	graph: {
		name: "everything",
		inputs: [{ name: "x", type: "float32", dims: ["batch", 2] }],
		initializers: [
			{ name: "weights", dims: [2, 1], values: Float32Array.of(1, 2) },
			{ name: "half", dims: [1], values: Float64Array.of(0.5) },
			{ name: "axes", dims: [1], values: BigInt64Array.of(-1n) },
			{ name: "count", dims: [], values: Int32Array.of(3) },
		],
		nodes: [
			{
				opType: "Gemm",
				inputs: ["x", "weights"],
				outputs: ["product"],
				attributes: { alpha: { float: 2 }, transB: { int: 0 } },
			},
			{ opType: "Cast", inputs: ["half"], outputs: ["half32"], attributes: { to: { int: 1 } } },
			{ opType: "Cast", inputs: ["count"], outputs: ["count32"], attributes: { to: { int: 1 } } },
			{
				opType: "Constant",
				inputs: [],
				outputs: ["ten"],
				attributes: { value: { tensor: { name: "ten", dims: [1], values: Float32Array.of(10) } } },
			},
			{ opType: "Sum", inputs: ["product", "half32", "count32", "ten"], outputs: ["sum"] },
			{ opType: "Squeeze", inputs: ["sum", "axes"], outputs: ["flat"] },
			{ opType: "Unsqueeze", inputs: ["flat", "axes"], outputs: ["y"] },
			{
				opType: "Scaler",
				domain: "ai.onnx.ml",
				inputs: ["x"],
				outputs: ["scaled"],
				attributes: { offset: { floats: [1, 1] }, scale: { floats: Float32Array.of(0.5, 0.25) } },
			},
			{
				opType: "LinearClassifier",
				domain: "ai.onnx.ml",
				inputs: ["x"],
				outputs: ["label", "probability"],
				attributes: {
					coefficients: { floats: [0, 0, 1, 1] },
					intercepts: { floats: [0, 0] },
					post_transform: { string: "SOFTMAX" },
					classlabels_ints: { ints: [7, 9] },
				},
			},
			{
				opType: "LabelEncoder",
				domain: "ai.onnx.ml",
				inputs: ["label"],
				outputs: ["labelled"],
				attributes: { keys_int64s: { ints: [7, 9] }, values_floats: { floats: [0.25, 0.75] } },
			},
		],
		outputs: [
			{ name: "y", type: "float32", dims: ["batch", 1] },
			{ name: "scaled", type: "float32", dims: ["batch", 2] },
			{ name: "labelled", type: "float32", dims: ["batch"] },
		],
	},
};

test("ONNX Runtime reads what was written: attributes, initializers, domains, symbolic lengths", async () => {
	const session = await InferenceSession.create(encodeModel(everything));
	assert.deepEqual(session.inputMetadata, [{ name: "x", isTensor: true, type: "float32", shape: ["batch", 2] }]);
	const { y, scaled, labelled } = await session.run({ x: new Tensor("float32", Float32Array.of(1, 2, 3, 4), [2, 2]) });
	assert.deepEqual(y?.data, Float32Array.of(2 * (1 + 4) + 0.5 + 3 + 10, 2 * (3 + 8) + 0.5 + 3 + 10));
	assert.deepEqual(scaled?.data, Float32Array.of(0, 0.25, 1, 0.75));
	assert.deepEqual(labelled?.data, Float32Array.of(0.75, 0.75));
	await session.release();
});

test("equal models give equal bytes", () => {
	assert.deepEqual(encodeModel(everything), encodeModel(structuredClone(everything)));
	const other = { ...everything, metadata: { seed: "2", madeBy: "a test" } };
	assert.notDeepEqual(encodeModel(everything), encodeModel(other));
});

test("a typed array that is a view into a larger buffer writes only its own values", async () => {
	const larger = Float32Array.of(99, 1, 2, 99);
	const [, ...others] = everything.graph.initializers ?? [];
	const viewed = {
		...everything.graph,
		initializers: [{ name: "weights", dims: [2, 1], values: larger.subarray(1, 3) }, ...others],
	};
	assert.deepEqual(encodeModel({ ...everything, graph: viewed }), encodeModel(everything));
});

const sigmoid = { opType: "Sigmoid", inputs: ["x"], outputs: ["y"] };
const small: OnnxModel["graph"] = {
	name: "small",
	inputs: [{ name: "x", type: "float32", dims: ["batch", 1] }],
	nodes: [sigmoid],
	outputs: [{ name: "y", type: "float32", dims: ["batch", 1] }],
};
const faults: [string, Partial<OnnxModel["graph"]>, RegExp][] = [
	["a value that nothing makes", { nodes: [{ ...sigmoid, inputs: ["z"] }] }, /Sigmoid uses "z" before/],
	["a value made twice", { nodes: [sigmoid, sigmoid] }, /"y" is made twice, the second time by node Sigmoid/],
	["a domain without an opset", { nodes: [{ ...sigmoid, domain: "ai.onnx.ml" }] }, /domain "ai.onnx.ml"/],
	["an output that nothing makes", { nodes: [] }, /output "y" is made by no node/],
	[
		"a shape that its values do not fill",
		{ initializers: [{ name: "w", dims: [2, 2], values: Float32Array.of(1) }] },
		/"w" of shape \[2, 2\] needs 4 values, got 1/,
	],
	[
		"a fractional int",
		{ nodes: [{ ...sigmoid, attributes: { axis: { int: 0.5 } } }] },
		/"axis" takes whole numbers, got 0.5/,
	],
];
for (const [what, change, message] of faults)
	test(`${what} is refused`, () => {
		const model = { opsets: [{ domain: "", version: 17 }], graph: { ...small, ...change } };
		assert.throws(() => encodeModel(model), { code: "BAD_ONNX_GRAPH", message });
	});

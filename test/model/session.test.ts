import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { encodeModel, loadOnnxModel, type OnnxModel } from "batching-lab/model";

const folder = mkdtempSync(join(tmpdir(), "session-"));
after(() => rmSync(folder, { recursive: true }));

const opsets = [
	{ domain: "", version: 17 },
	{ domain: "ai.onnx.ml", version: 3 },
];
type Graph = OnnxModel["graph"];

/** score = x0 + 2 x1 */
const sum: Graph = {
	name: "sum",
	inputs: [{ name: "x", type: "float32", dims: ["batch", 2] }],
	initializers: [{ name: "w", dims: [2, 1], values: Float32Array.of(1, 2) }],
	nodes: [{ opType: "MatMul", inputs: ["x", "w"], outputs: ["score"] }],
	outputs: [{ name: "score", type: "float32", dims: ["batch", 1] }],
};
const load = (graph: Graph, options = {}) => loadOnnxModel(encodeModel({ opsets, graph }), options);

test("a file is loaded, named after itself, and scores every row", async () => {
	const path = join(folder, "sum.onnx");
	writeFileSync(path, encodeModel({ opsets, graph: sum }));
	const model = await loadOnnxModel(path);
	assert.equal(model.name, "sum");
	assert.deepEqual(
		model.inputs.map(({ name, type, width }) => ({ name, type, width })),
		[{ name: "x", type: "float32", width: 2 }],
	);
	assert.deepEqual(await model.score({ x: Float32Array.of(1, 2, 3, 4, 5, 6) }, 3), Float32Array.of(5, 11, 17));
	await model.close();
});

test("of a classifier, the score is the probability of class 1", async () => {
	const model = await load({
		...sum,
		initializers: [],
		nodes: [
			{
				opType: "LinearClassifier",
				domain: "ai.onnx.ml",
				inputs: ["x"],
				outputs: ["label", "probabilities"],
				attributes: {
					coefficients: { floats: [0, 0, 1, 0] },
					intercepts: { floats: [0, 0] },
					post_transform: { string: "SOFTMAX" },
					classlabels_ints: { ints: [0, 1] },
				},
			},
		],
		outputs: [
			{ name: "label", type: "int64", dims: ["batch"] },
			{ name: "probabilities", type: "float32", dims: ["batch", 2] },
		],
	});
	const [even, high] = await model.score({ x: Float32Array.of(0, 0, 2, 0) }, 2);
	assert.equal(even, 0.5);
	assert.ok(Math.abs(Number(high) - 1 / (1 + Math.exp(-2))) < 1e-6);
	await model.close();
});

test("several inputs of several types, and more than one length a row", async () => {
	const model = await load({
		name: "mixed",
		inputs: [
			{ name: "image", type: "float32", dims: ["batch", 2, 3] },
			{ name: "count", type: "int64", dims: ["batch"] },
		],
		initializers: [{ name: "axes", dims: [2], values: BigInt64Array.of(1n, 2n) }],
		nodes: [
			{
				opType: "ReduceMax",
				inputs: ["image"],
				outputs: ["top"],
				attributes: { axes: { ints: [1, 2] }, keepdims: { int: 0 } },
			},
			{ opType: "Cast", inputs: ["count"], outputs: ["countF"], attributes: { to: { int: 1 } } },
			{ opType: "Mul", inputs: ["top", "countF"], outputs: ["score"] },
		],
		outputs: [{ name: "score", type: "float32", dims: ["batch"] }],
	});
	assert.deepEqual(
		model.inputs.map(({ width }) => width),
		[6, 1],
	);
	const image = Float32Array.of(1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1.5);
	assert.deepEqual(await model.score({ image, count: BigInt64Array.of(1n, 10n) }, 2), Float32Array.of(6, 60));
	await model.close();
});

test("float64 scores come back rounded to float32", async () => {
	const model = await load({
		...sum,
		inputs: [{ name: "x", type: "float64", dims: ["batch", 1] }],
		initializers: [],
		nodes: [{ opType: "Identity", inputs: ["x"], outputs: ["score"] }],
		outputs: [{ name: "score", type: "float64", dims: ["batch", 1] }],
	});
	assert.deepEqual(await model.score({ x: Float64Array.of(0.1) }, 1), Float32Array.of(0.1));
	await model.close();
});

const refused: [string, Partial<Graph>, RegExp][] = [
	[
		"a fixed number of rows",
		{
			inputs: [{ name: "x", type: "float32", dims: [4, 2] }],
			outputs: [{ name: "score", type: "float32", dims: [4, 1] }],
		},
		/input "x" has the lengths \[4, 2\]; a model needs exactly one dynamic length/,
	],
	[
		"a second dynamic length",
		{ inputs: [{ name: "x", type: "float32", dims: ["batch", "time"] }] },
		/input "x" has the lengths \[batch, time\]/,
	],
	[
		"two numbers of rows",
		{
			inputs: [
				{ name: "x", type: "float32", dims: ["batch", 2] },
				{ name: "y", type: "float32", dims: ["other", 2] },
			],
		},
		/different dynamic lengths \("batch", "other"\)/,
	],
	[
		"more than two values a row",
		{
			initializers: [{ name: "w", dims: [2, 3], values: new Float32Array(6) }],
			outputs: [{ name: "score", type: "float32", dims: ["batch", 3] }],
		},
		/output "score" has 3 values a row/,
	],
];
for (const [what, change, message] of refused)
	test(`a model with ${what} is refused by name`, async () => {
		await assert.rejects(load({ ...sum, ...change }), { code: "BAD_MODEL_FILE", message });
	});

test("several float outputs need one to be named, and a name must be there", async () => {
	const two: Graph = {
		...sum,
		nodes: [...sum.nodes, { opType: "Neg", inputs: ["score"], outputs: ["other"] }],
		outputs: [...sum.outputs, { name: "other", type: "float32", dims: ["batch", 1] }],
	};
	await assert.rejects(load(two), { code: "BAD_MODEL_FILE", message: /several outputs.*"score", "other"/ });
	await assert.rejects(load(two, { output: "nope" }), {
		code: "BAD_MODEL_FILE",
		message: /no output "nope"; it has "score", "other"/,
	});
	const model = await load(two, { output: "other" });
	assert.deepEqual(await model.score({ x: Float32Array.of(1, 2) }, 1), Float32Array.of(-5));
	await model.close();
});

test("a graph that works for one row only is found when it is loaded", async () => {
	const oneRow: Graph = {
		...sum,
		initializers: [...(sum.initializers ?? []), { name: "shape", dims: [2], values: BigInt64Array.of(1n, 2n) }],
		nodes: [
			{ opType: "Reshape", inputs: ["x", "shape"], outputs: ["only"] },
			{ opType: "MatMul", inputs: ["only", "w"], outputs: ["score"] },
		],
	};
	await assert.rejects(load(oneRow), { code: "BAD_MODEL_FILE" });
});

test("no file, and a file that is no model", async () => {
	const path = join(folder, "notes.onnx");
	await assert.rejects(loadOnnxModel(path), { code: "NO_MODEL_FILE", message: /notes\.onnx/ });
	writeFileSync(path, "not a model");
	await assert.rejects(loadOnnxModel(path), { code: "BAD_MODEL_FILE", message: /"notes"/ });
	await assert.rejects(load(sum, { threads: 0 }), { code: "BAD_OPTION", message: /threads.*got 0/ });
});

test("after close a score rejects, and close waits for the calls inside", async () => {
	const model = await load(sum);
	const inside = model.score({ x: Float32Array.of(1, 2) }, 1);
	await Promise.all([model.close(), model.close()]);
	assert.deepEqual(await inside, Float32Array.of(5));
	await assert.rejects(model.score({ x: Float32Array.of(1, 2) }, 1), {
		code: "MODEL_CLOSED",
		message: /"model" is closed/,
	});
});

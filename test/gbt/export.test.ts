import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exportGbtOnnx, loadOnnxModel, scoreGbt, trainGbt } from "batching-lab/model";
import { chequered, stump } from "./fixtures.js";

async function onnxScores(bytes: Uint8Array, features: Float32Array, width: number): Promise<Float32Array> {
	const model = await loadOnnxModel(bytes, { name: "gbt" });
	try {
		return await model.score({ features }, features.length / width);
	} finally {
		await model.close();
	}
}

describe("exportGbtOnnx", () => {
	it("scores a tree that can be worked out by hand: sigmoid(base + leaf), equal goes left", async () => {
		const features = Float32Array.of(1, 9, 1.5, 9, Math.fround(1.5000001), 9, 7, 9);
		const scores = await onnxScores(exportGbtOnnx(stump), features, 2);
		const [low, high] = [1 / (1 + Math.exp(0.75)), 1 / (1 + Math.exp(-2.25))];
		for (const [row, expected] of [low, low, high, high].entries())
			assert.ok(Math.abs((scores[row] ?? 0) - expected) < 1e-6, `row ${row}: ${scores[row]} for ${expected}`);
	});

	it("has the interface the service relies on", async () => {
		const model = await loadOnnxModel(exportGbtOnnx(stump), { name: "gbt" });
		assert.deepEqual(
			model.inputs.map(({ name, type, width }) => ({ name, type, width })),
			[{ name: "features", type: "float32", width: 2 }],
		);
		assert.deepEqual(
			model.outputs.map(({ name, type }) => ({ name, type })),
			[{ name: "probabilities", type: "float32" }],
		);
		await model.close();
	});

	it("writes equal bytes for equal trees", () => {
		assert.deepEqual(exportGbtOnnx(stump), exportGbtOnnx(structuredClone(stump)));
	});

	it("scores as the trainer does, on many trees, on the thresholds themselves and one step beside them", async () => {
		const model = await trainGbt({ fit: chequered(3000, 1), heldOut: chequered(1000, 2) });
		const thresholds = model.trees.flatMap(({ feature, threshold }) => [
			...threshold.filter((_, node) => (feature[node] ?? -1) >= 0),
		]);
		const step = (value: number, by: number) => {
			const bits = new Int32Array(new Float32Array([value]).buffer);
			bits[0] = (bits[0] ?? 0) + by;
			return new Float32Array(bits.buffer)[0] ?? 0;
		};
		const edges = thresholds.flatMap((value) => [step(value, -1), value, step(value, 1)]);
		const features = Float32Array.from(
			edges.flatMap((value, index) => [value, edges[(index * 7) % edges.length] ?? 0]),
		);
		const own = scoreGbt(model, features);
		const scores = await onnxScores(exportGbtOnnx(model), features, 2);
		assert.ok(new Set(scores).size > 20);
		assert.ok(own.every((score, row) => Math.abs(score - (scores[row] ?? 0)) <= 1e-6));
	});
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LabelledRows, scoreGbt, trainGbt } from "batching-lab/model";
import { chequered, leafCount } from "./fixtures.js";

const fit = chequered(4000, 1);
const heldOut = chequered(2000, 2);
const test = chequered(2000, 3);

describe("trainGbt", () => {
	it("learns what no single feature shows", async () => {
		const model = await trainGbt({ fit, heldOut });
		const scores = scoreGbt(model, test.features);
		const right = test.labels.filter((label, row) => label === Number((scores[row] ?? 0) > 0.5)).length;
		// A tenth of the labels is turned, so 0.9 is all that anybody can know.
		assert.ok(right / test.rows > 0.87, `${right} of ${test.rows} right`);
	});

	it("gives equal trees from equal rows, to the bit", async () => {
		assert.deepEqual(await trainGbt({ fit, heldOut }), await trainGbt({ fit: chequered(4000, 1), heldOut }));
	});

	it("keeps to leaves and rows a leaf, and never asks a feature that is not there", async () => {
		const rules = { maxLeaves: 7, minLeafRows: 150 };
		const model = await trainGbt({ fit, heldOut }, rules);
		assert.ok(model.trees.length > 0);
		for (const tree of model.trees) {
			assert.ok(leafCount(tree.feature) <= rules.maxLeaves);
			assert.ok(tree.feature.every((feature) => feature < 2));
			const rowsOfLeaf = new Map<number, number>();
			for (let row = 0; row < fit.rows; row++) {
				let node = 0;
				while ((tree.feature[node] ?? -1) >= 0) {
					const value = fit.features[2 * row + (tree.feature[node] ?? 0)] ?? 0;
					node = (value <= (tree.threshold[node] ?? 0) ? tree.left[node] : tree.right[node]) ?? 0;
				}
				rowsOfLeaf.set(node, (rowsOfLeaf.get(node) ?? 0) + 1);
			}
			assert.equal(rowsOfLeaf.size, leafCount(tree.feature));
			assert.ok([...rowsOfLeaf.values()].every((rows) => rows >= rules.minLeafRows));
		}
	});

	it("stops when the held-out loss no longer falls, and drops the trees after the best", async () => {
		const losses: number[] = [];
		const patience = 4;
		const model = await trainGbt(
			{ fit, heldOut },
			{ patience, onProgress: ({ text }) => losses.push(Number(/loss ([\d.]+)/.exec(text)?.[1])) },
		);
		assert.equal(losses.length, model.trees.length + patience);
		assert.ok(model.trees.length < 300);
		assert.equal(Math.min(...losses), losses[model.trees.length - 1]);
	});

	it("stops at maxTrees when the loss still falls", async () => {
		assert.equal((await trainGbt({ fit, heldOut }, { maxTrees: 3 })).trees.length, 3);
	});

	it("makes no tree where the held-out rows say the opposite: the base rate alone is best", async () => {
		const opposite = { ...heldOut, labels: heldOut.labels.map((label) => 1 - label) };
		const model = await trainGbt({ fit, heldOut: opposite });
		const rate = fit.labels.reduce((sum, label) => sum + label, 0) / fit.rows;
		assert.equal(model.trees.length, 0);
		assert.ok(scoreGbt(model, test.features).every((score) => Math.abs(score - rate) < 1e-6));
	});

	it("gives the leaf its Newton step: −G / (H + l2), times the learning rate", async () => {
		// Base rate one half, so every gradient is ±½ and every hessian ¼; the one cut parts the labels.
		const rows: LabelledRows = {
			rows: 8,
			features: Float32Array.of(1, 1, 1, 1, 2, 2, 2, 2),
			labels: Uint8Array.of(0, 0, 0, 0, 1, 1, 1, 1),
		};
		const model = await trainGbt(
			{ fit: rows, heldOut: rows },
			{ minLeafRows: 1, maxTrees: 1, l2: 3, learningRate: 0.5 },
		);
		const [tree] = model.trees;
		assert.equal(model.baseMargin, 0);
		assert.deepEqual([...(tree?.feature ?? [])], [0, -1, -1]);
		assert.equal(tree?.threshold[0], 1.5);
		assert.deepEqual([...(tree?.value ?? [])], [0, -0.25, 0.25]);
	});

	it("parts neighbouring float32 values exactly, where their middle rounds to the upper one", async () => {
		const low = 16_777_218;
		const high = 16_777_220;
		const rows: LabelledRows = {
			rows: 4,
			features: Float32Array.of(low, low, high, high),
			labels: Uint8Array.of(0, 0, 1, 1),
		};
		const model = await trainGbt({ fit: rows, heldOut: rows }, { minLeafRows: 1, maxTrees: 1 });
		const [below, , above] = scoreGbt(model, rows.features);
		assert.ok(below !== undefined && above !== undefined && below < 0.5 && above > 0.5);
	});

	it("leaves a feature alone that never changes", async () => {
		const features = Float32Array.from({ length: fit.rows * 2 }, (_, index) =>
			index % 2 === 0 ? 5 : (fit.features[index] ?? 0),
		);
		const labels = Uint8Array.from({ length: fit.rows }, (_, row) => Number((features[2 * row + 1] ?? 0) > 0.5));
		const rows = { rows: fit.rows, features, labels };
		const model = await trainGbt({ fit: rows, heldOut: rows }, { maxTrees: 5 });
		assert.ok(model.trees.every(({ feature }) => feature.every((index) => index !== 0)));
	});

	it("stops when the signal aborts, before the first tree or between two", async () => {
		const interrupted = { code: "INTERRUPTED", exitCode: 130 };
		await assert.rejects(trainGbt({ fit, heldOut }, { signal: AbortSignal.abort() }), interrupted);
		const controller = new AbortController();
		let grown = 0;
		const onProgress = ({ done }: { done: number }) => {
			grown = done;
			// From the event loop, as a signal of the system comes.
			if (done === 2) setImmediate(() => controller.abort());
		};
		await assert.rejects(trainGbt({ fit, heldOut }, { signal: controller.signal, onProgress }), interrupted);
		assert.ok(grown >= 2 && grown <= 4, `${grown} trees`);
	});
});

describe("trainGbt names what it cannot train on", () => {
	const nan = { ...fit, features: fit.features.map((value, index) => (index === 5 ? Number.NaN : value)) };
	for (const [what, rows, message] of [
		["no rows", { rows: 0, features: new Float32Array(0), labels: new Uint8Array(0) }, /at least one row.*got 0/],
		["broken rows", { ...fit, features: fit.features.subarray(1) }, /7999 values are not 4000 whole rows/],
		["missing labels", { ...fit, labels: fit.labels.subarray(1) }, /3999 labels for 4000 rows/],
		["not a number", nan, /finite number, got NaN/],
		["strange labels", { ...fit, labels: fit.labels.map((label) => label * 2) }, /labels are 0 or 1, got 2/],
		["one label only", { ...fit, labels: fit.labels.map(() => 1) }, /nothing to learn/],
	] as const) {
		it(what, async () => {
			await assert.rejects(trainGbt({ fit: rows, heldOut }), { code: "BAD_TRAINING_ROWS", message });
		});
	}

	it("held-out rows of another width", async () => {
		const narrow = { rows: 4000, features: heldOut.features, labels: fit.labels };
		await assert.rejects(trainGbt({ fit, heldOut: narrow }), { code: "BAD_TRAINING_ROWS", message: /1 features.*2/ });
	});

	for (const options of [
		{ learningRate: 0 },
		{ learningRate: 1.5 },
		{ l2: 0 },
		{ l2: Number.POSITIVE_INFINITY },
		{ maxLeaves: 1 },
		{ maxBins: 256 },
		{ minLeafRows: 0.5 },
		{ maxTrees: 0 },
		{ patience: Number.NaN },
	]) {
		it(`option ${JSON.stringify(options)}`, async () => {
			const [name] = Object.keys(options);
			await assert.rejects(trainGbt({ fit, heldOut }, options), {
				code: "BAD_GBT_OPTION",
				message: new RegExp(`^${name} must`),
			});
		});
	}
});

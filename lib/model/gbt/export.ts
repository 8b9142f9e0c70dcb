import { type Attribute, encodeModel } from "../onnx/index.js";
import type { BoostedTrees } from "./types.js";

/** Nodes of all trees in one list, as the operator wants them: a node is named by its tree and its place in it. */
function flatten({ trees }: BoostedTrees) {
	const nodes = trees.flatMap((tree, treeId) =>
		Array.from(tree.feature, (feature, nodeId) => ({
			treeId,
			nodeId,
			feature,
			isLeaf: feature < 0,
			threshold: tree.threshold[nodeId] ?? 0,
			left: tree.left[nodeId] ?? 0,
			right: tree.right[nodeId] ?? 0,
			value: tree.value[nodeId] ?? 0,
		})),
	);
	return { nodes, leaves: nodes.filter(({ isLeaf }) => isLeaf) };
}

/**
 * The attributes of `TreeEnsembleClassifier` (ai.onnx.ml 3) for two classes. ONNX Runtime takes the sum of the leaves
 * as the log-odds of the second class only when every weight names class 0 and there is exactly one base value; with
 * class 1 it scores without an error and is off by up to 0.3.
 */
function treeAttributes(model: BoostedTrees): Record<string, Attribute> {
	const { nodes, leaves } = flatten(model);
	return {
		nodes_treeids: { ints: nodes.map(({ treeId }) => treeId) },
		nodes_nodeids: { ints: nodes.map(({ nodeId }) => nodeId) },
		nodes_featureids: { ints: nodes.map(({ feature, isLeaf }) => (isLeaf ? 0 : feature)) },
		nodes_modes: { strings: nodes.map(({ isLeaf }) => (isLeaf ? "LEAF" : "BRANCH_LEQ")) },
		nodes_values: { floats: nodes.map(({ threshold }) => threshold) },
		nodes_truenodeids: { ints: nodes.map(({ left }) => left) },
		nodes_falsenodeids: { ints: nodes.map(({ right }) => right) },
		class_treeids: { ints: leaves.map(({ treeId }) => treeId) },
		class_nodeids: { ints: leaves.map(({ nodeId }) => nodeId) },
		class_ids: { ints: leaves.map(() => 0) },
		class_weights: { floats: leaves.map(({ value }) => value) },
		classlabels_int64s: { ints: [0, 1] },
		base_values: { floats: [model.baseMargin] },
		post_transform: { string: "LOGISTIC" },
	};
}

/**
 * Writes boosted trees as an `.onnx` file: input `features` [batch, width] float32, output `probabilities` [batch, 2]
 * float32, of which column 1 is the score. Equal trees give equal bytes.
 */
export function exportGbtOnnx(model: BoostedTrees): Uint8Array {
	return encodeModel({
		irVersion: 8,
		opsets: [
			{ domain: "", version: 17 },
			{ domain: "ai.onnx.ml", version: 3 },
		],
		graph: {
			name: "gbt",
			inputs: [{ name: "features", type: "float32", dims: ["batch", model.width] }],
			nodes: [
				{
					opType: "TreeEnsembleClassifier",
					domain: "ai.onnx.ml",
					inputs: ["features"],
					outputs: ["label", "probabilities"],
					attributes: treeAttributes(model),
				},
			],
			// The label is not an output of the graph, so no call pays for it.
			outputs: [{ name: "probabilities", type: "float32", dims: ["batch", 2] }],
		},
	});
}

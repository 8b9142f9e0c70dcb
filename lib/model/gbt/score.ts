import type { BoostedTrees, Tree } from "./types.js";

/** The leaf's value that a tree gives the row that starts at `offset` of `features`. */
export function treeValue(tree: Tree, features: Float32Array, offset: number): number {
	let node = 0;
	for (let feature = tree.feature[0] ?? -1; feature >= 0; feature = tree.feature[node] ?? -1) {
		const goesLeft = (features[offset + feature] ?? 0) <= (tree.threshold[node] ?? 0);
		node = (goesLeft ? tree.left[node] : tree.right[node]) ?? 0;
	}
	return tree.value[node] ?? 0;
}

export function sigmoid(margin: number): number {
	return 1 / (1 + Math.exp(-margin));
}

/** The trainer's own scores, float64: the reference that the ONNX file is held against. `features` is rows × width. */
export function scoreGbt(model: BoostedTrees, features: Float32Array): Float64Array {
	const rows = features.length / model.width;
	if (!Number.isInteger(rows))
		throw new RangeError(`${features.length} values are not whole rows of ${model.width} features`);
	const scores = new Float64Array(rows);
	for (let row = 0; row < rows; row++) {
		let margin = model.baseMargin;
		for (const tree of model.trees) margin += treeValue(tree, features, row * model.width);
		scores[row] = sigmoid(margin);
	}
	return scores;
}

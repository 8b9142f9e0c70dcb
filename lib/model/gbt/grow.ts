import type { BinnedRows } from "./bins.js";
import { type Derivatives, type Histogram, histogramOf, subtract } from "./histogram.js";
import { bestSplit, leafValue, type NodeSums, type SplitPoint, type SplitRules } from "./split.js";
import type { Tree } from "./types.js";

export interface GrowRules extends SplitRules {
	readonly maxLeaves: number;
	readonly learningRate: number;
}

/** A leaf of the growing tree; `rowIds` is a window of one shared array, so a cut moves rows only within it. */
interface Leaf {
	readonly node: number;
	readonly rowIds: Uint32Array;
	readonly histogram: Histogram;
	readonly sums: NodeSums;
	readonly split: SplitPoint | undefined;
}

interface GrowingNode {
	feature: number;
	threshold: number;
	left: number;
	right: number;
	value: number;
}

function newLeafNode(): GrowingNode {
	return { feature: -1, threshold: 0, left: 0, right: 0, value: 0 };
}

/** Left rows first, each side in its old order, so that sums are added in the same order on every run. */
function partition(data: BinnedRows, rowIds: Uint32Array, { feature, bin }: SplitPoint): number {
	const column = data.bins.subarray(feature * data.rows, (feature + 1) * data.rows);
	const right = new Uint32Array(rowIds.length);
	let leftCount = 0;
	let rightCount = 0;
	for (let index = 0; index < rowIds.length; index++) {
		const row = rowIds[index] ?? 0;
		if ((column[row] ?? 0) <= bin) rowIds[leftCount++] = row;
		else right[rightCount++] = row;
	}
	rowIds.set(right.subarray(0, rightCount), leftCount);
	return leftCount;
}

function sumsOf(rowIds: Uint32Array, { gradient, hessian }: Derivatives): NodeSums {
	let gradientSum = 0;
	let hessianSum = 0;
	for (let index = 0; index < rowIds.length; index++) {
		const row = rowIds[index] ?? 0;
		gradientSum += gradient[row] ?? 0;
		hessianSum += hessian[row] ?? 0;
	}
	return { gradient: gradientSum, hessian: hessianSum, count: rowIds.length };
}

/** The leaf whose cut gains most; ties go to the one made first. */
function mostPromising(leaves: readonly Leaf[]): Leaf | undefined {
	let best: Leaf | undefined;
	for (const leaf of leaves) {
		if (leaf.split === undefined) continue;
		if (best?.split === undefined || leaf.split.gain > best.split.gain) best = leaf;
	}
	return best;
}

/**
 * Grows one tree leaf by leaf: always cut the leaf that gains most, until `maxLeaves` or nothing gains.
 * Adds each leaf's value to the `margins` of its rows.
 */
export function growTree(data: BinnedRows, derivatives: Derivatives, rules: GrowRules, margins: Float64Array): Tree {
	const nodes = [newLeafNode()];
	const makeLeaf = (node: number, rowIds: Uint32Array, histogram: Histogram): Leaf => {
		const sums = sumsOf(rowIds, derivatives);
		return { node, rowIds, histogram, sums, split: bestSplit(data, histogram, sums, rules) };
	};
	const allRows = Uint32Array.from({ length: data.rows }, (_, row) => row);
	let leaves = [makeLeaf(0, allRows, histogramOf(data, allRows, derivatives))];

	while (leaves.length < rules.maxLeaves) {
		const leaf = mostPromising(leaves);
		const node = nodes[leaf?.node ?? -1];
		if (leaf?.split === undefined || node === undefined) break;
		const leftCount = partition(data, leaf.rowIds, leaf.split);
		const leftRows = leaf.rowIds.subarray(0, leftCount);
		const rightRows = leaf.rowIds.subarray(leftCount);
		const leftIsSmaller = leftRows.length <= rightRows.length;
		const smaller = histogramOf(data, leftIsSmaller ? leftRows : rightRows, derivatives);
		const larger = subtract(leaf.histogram, smaller, data.width);
		node.feature = leaf.split.feature;
		node.threshold = data.thresholds[leaf.split.feature]?.[leaf.split.bin] ?? 0;
		node.left = nodes.push(newLeafNode()) - 1;
		node.right = nodes.push(newLeafNode()) - 1;
		const left = makeLeaf(node.left, leftRows, leftIsSmaller ? smaller : larger);
		const right = makeLeaf(node.right, rightRows, leftIsSmaller ? larger : smaller);
		leaves = leaves.flatMap((other) => (other === leaf ? [left, right] : [other]));
	}

	for (const leaf of leaves) {
		const value = Math.fround(rules.learningRate * leafValue(leaf.sums, rules.l2));
		const node = nodes[leaf.node];
		if (node !== undefined) node.value = value;
		for (const row of leaf.rowIds) margins[row] = (margins[row] ?? 0) + value;
	}
	return {
		feature: Int32Array.from(nodes, (node) => node.feature),
		threshold: Float32Array.from(nodes, (node) => node.threshold),
		left: Int32Array.from(nodes, (node) => node.left),
		right: Int32Array.from(nodes, (node) => node.right),
		value: Float32Array.from(nodes, (node) => node.value),
	};
}

/** Rows to train on or to judge with; features row-major, labels 0 or 1. A store's RowSet fits as it is. */
export interface LabelledRows {
	readonly rows: number;
	/** rows × width, row-major. */
	readonly features: Float32Array;
	readonly labels: Uint8Array;
}

/**
 * One binary tree as flat columns; node 0 is the root, children follow their parent.
 * A row goes left where `x[feature] <= threshold`, compared in float32 as ONNX Runtime does.
 */
export interface Tree {
	/** −1 at a leaf. */
	readonly feature: Int32Array;
	readonly threshold: Float32Array;
	readonly left: Int32Array;
	readonly right: Int32Array;
	/** What the leaf adds to the log-odds, learning rate included; 0 at an inner node. */
	readonly value: Float32Array;
}

/** Boosted trees: score = sigmoid(baseMargin + the sum of one leaf a tree). */
export interface BoostedTrees {
	readonly width: number;
	/** Log-odds of the base rate, float32. */
	readonly baseMargin: number;
	readonly trees: readonly Tree[];
}

export interface GbtOptions {
	/** Leaves a tree has at most. @default 31 */
	readonly maxLeaves?: number;
	/** Bins a feature has at most, 2 to 255. @default 255 */
	readonly maxBins?: number;
	/** @default 0.1 */
	readonly learningRate?: number;
	/** Rows a leaf has at least. @default 20 */
	readonly minLeafRows?: number;
	/** Added to the hessian of every leaf; draws its value to 0, more so where few rows are uncertain. @default 20 */
	readonly l2?: number;
	/** @default 300 */
	readonly maxTrees?: number;
	/** Stop after so many trees in a row that do not lower the held-out log loss; the trees after the best are dropped. @default 10 */
	readonly patience?: number;
	/** After every tree. `total` is `maxTrees`: early stopping usually ends long before. */
	readonly onProgress?: (event: { readonly done: number; readonly total: number; readonly text: string }) => void;
	readonly signal?: AbortSignal;
}

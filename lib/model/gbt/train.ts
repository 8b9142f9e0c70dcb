import { setImmediate as nextTurn } from "node:timers/promises";
import { CodedError } from "../../base/index.js";
import { binRows } from "./bins.js";
import { growTree } from "./grow.js";
import type { Derivatives } from "./histogram.js";
import { checkOptions, checkRows } from "./options.js";
import { sigmoid, treeValue } from "./score.js";
import type { BoostedTrees, GbtOptions, LabelledRows, Tree } from "./types.js";

/** Derivatives of the log loss: p − y and p(1 − p). */
function differentiate(margins: Float64Array, labels: Uint8Array, { gradient, hessian }: Derivatives): void {
	for (let row = 0; row < margins.length; row++) {
		const probability = sigmoid(margins[row] ?? 0);
		gradient[row] = probability - (labels[row] ?? 0);
		hessian[row] = probability * (1 - probability);
	}
}

/** Mean of log(1 + e^m) − y·m, written so that no large margin overflows. */
function logLoss(margins: Float64Array, labels: Uint8Array): number {
	let sum = 0;
	for (let row = 0; row < margins.length; row++) {
		const margin = margins[row] ?? 0;
		sum += Math.max(margin, 0) + Math.log1p(Math.exp(-Math.abs(margin))) - (labels[row] ?? 0) * margin;
	}
	return sum / margins.length;
}

function baseMarginOf(labels: Uint8Array): number {
	const rate = labels.reduce((sum, label) => sum + label, 0) / labels.length;
	return Math.fround(Math.log(rate / (1 - rate)));
}

/**
 * Trains gradient-boosted trees for the log loss: histograms, leaf-wise growth, and as many trees as the held-out
 * rows want. There is no chance in it: equal rows and options give equal trees, to the bit.
 *
 * @throws {CodedError} `BAD_TRAINING_ROWS`, `BAD_GBT_OPTION`; `INTERRUPTED` when the signal aborts.
 *
 * @example
 * const trees = await trainGbt({ fit: store.rowsOf("fit"), heldOut: store.rowsOf("heldOut") });
 */
export async function trainGbt(
	{ fit, heldOut }: { readonly fit: LabelledRows; readonly heldOut: LabelledRows },
	options: GbtOptions = {},
): Promise<BoostedTrees> {
	const width = checkRows("fit", fit);
	checkRows("heldOut", heldOut, width);
	const rules = checkOptions(options);

	const data = binRows(fit, width, rules.maxBins);
	const baseMargin = baseMarginOf(fit.labels);
	const margins = new Float64Array(fit.rows).fill(baseMargin);
	const heldOutMargins = new Float64Array(heldOut.rows).fill(baseMargin);
	const derivatives = { gradient: new Float64Array(fit.rows), hessian: new Float64Array(fit.rows) };

	const trees: Tree[] = [];
	let bestLoss = logLoss(heldOutMargins, heldOut.labels);
	let bestCount = 0;
	while (trees.length < rules.maxTrees && trees.length - bestCount < rules.patience) {
		// One turn of the loop a tree, so that Ctrl-C and a progress bar are served while it trains.
		await nextTurn();
		if (options.signal?.aborted)
			throw new CodedError("INTERRUPTED", "the training was interrupted; no model was made", { exitCode: 130 });
		differentiate(margins, fit.labels, derivatives);
		const tree = growTree(data, derivatives, rules, margins);
		trees.push(tree);
		for (let row = 0; row < heldOut.rows; row++)
			heldOutMargins[row] = (heldOutMargins[row] ?? 0) + treeValue(tree, heldOut.features, row * width);
		const loss = logLoss(heldOutMargins, heldOut.labels);
		if (loss < bestLoss) {
			bestLoss = loss;
			bestCount = trees.length;
		}
		options.onProgress?.({
			done: trees.length,
			total: rules.maxTrees,
			text: `tree ${trees.length}, held-out loss ${loss.toFixed(5)}`,
		});
	}
	return { width, baseMargin, trees: trees.slice(0, bestCount) };
}

import { CodedError } from "../../base/index.js";
import type { GrowRules } from "./grow.js";
import type { GbtOptions, LabelledRows } from "./types.js";

/** GbtOptions with every default filled in. */
export interface GbtRules extends GrowRules {
	readonly maxBins: number;
	readonly maxTrees: number;
	readonly patience: number;
}

function whole(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
	if (Number.isInteger(value) && value >= min && value <= max) return value;
	const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new CodedError("BAD_GBT_OPTION", `${name} must be a whole number ${range}, got ${value}`);
}

export function checkOptions(options: GbtOptions): GbtRules {
	const { learningRate = 0.1, l2 = 20 } = options;
	if (!(learningRate > 0 && learningRate <= 1))
		throw new CodedError("BAD_GBT_OPTION", `learningRate must be above 0 and at most 1, got ${learningRate}`);
	// Without it a leaf of rows that are all certain would divide by 0.
	if (!(l2 > 0 && Number.isFinite(l2))) throw new CodedError("BAD_GBT_OPTION", `l2 must be above 0, got ${l2}`);
	return {
		learningRate,
		l2,
		maxLeaves: whole("maxLeaves", options.maxLeaves ?? 31, 2),
		maxBins: whole("maxBins", options.maxBins ?? 255, 2, 255),
		minLeafRows: whole("minLeafRows", options.minLeafRows ?? 20, 1),
		maxTrees: whole("maxTrees", options.maxTrees ?? 300, 1),
		patience: whole("patience", options.patience ?? 10, 1),
	};
}

/** Checks rows and gives their width (features a row). */
export function checkRows(name: string, { rows, features, labels }: LabelledRows, expectedWidth?: number): number {
	const bad = (message: string): CodedError => new CodedError("BAD_TRAINING_ROWS", `${name}: ${message}`);
	const width = features.length / rows;
	if (!Number.isInteger(rows) || rows < 1) throw bad(`at least one row is needed, got ${rows}`);
	if (!Number.isInteger(width) || width < 1) throw bad(`${features.length} values are not ${rows} whole rows`);
	if (expectedWidth !== undefined && width !== expectedWidth)
		throw bad(`rows have ${width} features, the rows to fit have ${expectedWidth}`);
	if (labels.length !== rows) throw bad(`${labels.length} labels for ${rows} rows`);
	const value = features.find((number) => !Number.isFinite(number));
	if (value !== undefined) throw bad(`every feature must be a finite number, got ${value}`);
	const strange = labels.find((label) => label > 1);
	if (strange !== undefined) throw bad(`labels are 0 or 1, got ${strange}`);
	if (expectedWidth === undefined && !(labels.includes(0) && labels.includes(1)))
		throw bad("all labels are equal, so there is nothing to learn");
	return width;
}

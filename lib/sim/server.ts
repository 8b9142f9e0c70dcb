import { CodedError } from "../base/index.js";

/** How long a model call of so many rows takes, ns. May draw from a seeded random stream of the caller's own. */
export type ModelTime = (rows: number) => number;

/** What the simulated server's core spends. Where client and service share a core, the client's work belongs in here. */
export interface ServerCosts {
	readonly modelNs: ModelTime;
	/** Core time from a request's arrival to its `submit()`, µs: sending, reading, parsing, looking up. @default 0 */
	readonly beforeUs?: number;
	/** Core time from a row's score to its answer, µs: writing, receiving. @default 0 */
	readonly afterUs?: number;
	/** Core time that a batch costs beside the model, µs: the turns of the loop that it takes. @default 0 */
	readonly perBatchUs?: number;
	/**
	 * `core`: the model runs on the server's own core, as onnxruntime-node does, and nothing else happens meanwhile.
	 * `elsewhere`: on threads or a machine of its own, and requests are read meanwhile. @default "core"
	 */
	readonly modelRuns?: "core" | "elsewhere";
}

function requireTime(name: string, value: number): void {
	if (value >= 0 && Number.isFinite(value)) return;
	throw new CodedError("BAD_COST", `${name} must be a finite time of 0 or more, got ${value}`);
}

/**
 * A model whose call of n rows takes a + b · n, as `fitPerCall` of batching-lab/stats finds it.
 *
 * @throws {CodedError} `BAD_COST`
 */
export function affineModel({ fixedUs, perRowUs }: { readonly fixedUs: number; readonly perRowUs: number }): ModelTime {
	requireTime("fixedUs", fixedUs);
	requireTime("perRowUs", perRowUs);
	return (rows) => 1000 * (fixedUs + perRowUs * rows);
}

/**
 * A model as it was measured: the time of a call at some sizes, on straight lines between them, and beyond the last
 * one at the slope of the last line.
 *
 * @param perCallUs by size, at least one; the shape of `workbook model-alone --json`
 * @throws {CodedError} `BAD_COST`
 * @example
 * measuredModel({ 1: 98, 8: 220, 32: 595 })(16); // 345,000 ns
 */
export function measuredModel(perCallUs: Readonly<Record<string, number>>): ModelTime {
	const points = Object.entries(perCallUs)
		.map(([size, us]) => ({ size: Number(size), us }))
		.sort((a, b) => a.size - b.size);
	for (const { size, us } of points) {
		requireTime(`the call of ${size} rows`, us);
		if (!(Number.isInteger(size) && size >= 1))
			throw new CodedError("BAD_COST", `a batch size is a whole number, got ${size}`);
	}
	const [first] = points;
	if (first === undefined) throw new CodedError("BAD_COST", "a measured model needs the time of at least one size");
	return (rows) => {
		const above = points.findIndex(({ size }) => size >= rows);
		const right = points[Math.max(1, above === -1 ? points.length - 1 : above)] ?? first;
		const left = points[points.indexOf(right) - 1] ?? first;
		if (left === right) return 1000 * left.us;
		return Math.max(0, 1000 * (left.us + ((right.us - left.us) * (rows - left.size)) / (right.size - left.size)));
	};
}

/** The costs in ns, checked. */
export function resolveCosts({ modelNs, beforeUs = 0, afterUs = 0, perBatchUs = 0, modelRuns = "core" }: ServerCosts) {
	for (const [name, value] of Object.entries({ beforeUs, afterUs, perBatchUs })) requireTime(name, value);
	return {
		modelNs,
		beforeNs: 1000 * beforeUs,
		afterNs: 1000 * afterUs,
		perBatchNs: 1000 * perBatchUs,
		onCore: modelRuns === "core",
	};
}

import { seededRandom } from "../../base/index.js";
import { encodeModel } from "../onnx/index.js";
import { GraphBuilder } from "./graph-builder.js";

/** What brings features of very different size to one scale, inside the graph: (log x − center) / scale. */
export interface FeatureScale {
	readonly center: Float32Array;
	/** Above 0 everywhere. */
	readonly scale: Float32Array;
}

export interface NetworkOptions {
	/** Every weight comes from it. */
	readonly seed: number;
	readonly scale: FeatureScale;
}

/** log(1 + x), and −log(1 − x) below 0: days, orders and money spread over decades, and a return makes money negative. */
function signedLog(value: number): number {
	return Math.sign(value) * Math.log1p(Math.abs(value));
}

/** From the 10th to the 90th percentile a normal distribution spans 2.563 deviations. */
const DEVIATIONS = 2.563;
/**
 * Deviations beyond which a feature no longer grows: a few extreme rows would drive a score to 0 or 1, and a saturated
 * score hides that its bits differ.
 */
const CLIP = 3;

/**
 * The scale of `width` features over the rows of `features` (row-major), after the signed log: the median, and the
 * deviation as the span from the 10th to the 90th percentile has it. Neither follows a few extreme customers.
 */
export function featureScale(features: ArrayLike<number>, width: number): FeatureScale {
	const rows = features.length / width;
	const center = new Float32Array(width);
	const scale = new Float32Array(width);
	for (let feature = 0; feature < width; feature++) {
		const sorted = Float64Array.from({ length: rows }, (_, row) => Number(features[row * width + feature])).sort();
		const at = (share: number) => signedLog(sorted[Math.floor(share * (rows - 1))] ?? 0);
		center[feature] = at(0.5);
		scale[feature] = (at(0.9) - at(0.1)) / DEVIATIONS || 1;
	}
	return { center, scale };
}

/** The signed log, the scale and the bound as operators of the graph, so that a request carries the store's own features. */
function scaled(graph: GraphBuilder, input: string, { center, scale }: FeatureScale): string {
	const one = graph.constant([], Float32Array.of(1));
	const log = graph.op("Log", [graph.op("Add", [graph.op("Abs", [input]), one])]);
	const signed = graph.op("Mul", [graph.op("Sign", [input]), log]);
	const centered = graph.op("Sub", [signed, graph.constant([center.length], center)]);
	const deviations = graph.op("Div", [centered, graph.constant([scale.length], scale)]);
	const bound = (value: number) => graph.constant([], Float32Array.of(value));
	return graph.op("Clip", [deviations, bound(-CLIP), bound(CLIP)]);
}

/**
 * A network from features (`features`, float32, rows × width) to one score a row (`score`), as the bytes of an
 * `.onnx` file. `body` gets the scaled features and returns the logits; equal options give equal bytes.
 */
export function buildNetwork(
	name: string,
	{ seed, scale }: NetworkOptions,
	body: (graph: GraphBuilder, features: string) => string,
): Uint8Array {
	const graph = new GraphBuilder(seededRandom(seed));
	const logits = body(graph, scaled(graph, "features", scale));
	graph.output("score", "Sigmoid", [logits]);
	return encodeModel({
		opsets: [{ domain: "", version: 17 }],
		metadata: { network: name, seed: String(seed), trained: "no" },
		graph: {
			name,
			inputs: [{ name: "features", type: "float32", dims: ["batch", scale.center.length] }],
			nodes: graph.nodes,
			initializers: graph.initializers,
			outputs: [{ name: "score", type: "float32", dims: ["batch", 1] }],
		},
	});
}

import type { GraphBuilder } from "./graph-builder.js";
import { buildNetwork, type NetworkOptions } from "./network.js";

const WIDTH = 32;
const BLOCKS = 3;
const HEADS = 4;
const HIDDEN = 64;

function linear(graph: GraphBuilder, input: string, from: number, to: number, { afterRelu = false } = {}): string {
	const product = graph.op("MatMul", [input, graph.weights([from, to], from, { afterRelu })]);
	return graph.op("Add", [product, graph.weights([to], from)]);
}

function norm(graph: GraphBuilder, input: string): string {
	const one = graph.constant([WIDTH], new Float32Array(WIDTH).fill(1));
	const zero = graph.constant([WIDTH], new Float32Array(WIDTH));
	return graph.op("LayerNormalization", [input, one, zero], { axis: { int: -1 }, epsilon: { float: 1e-5 } });
}

/** A value of the graph of shape batch × count × WIDTH. */
interface Tokens {
	readonly name: string;
	readonly count: number;
}

/** One vector a feature (its value times a direction, plus an offset), and one, last, that reads the others. */
function tokens(graph: GraphBuilder, features: string, featureCount: number): Tokens {
	// A feature that is always 0 leaves only its offset: that is the class token, without asking for the batch's length.
	const padded = graph.op("Pad", [features, graph.shape(0, 0, 0, 1)]);
	const columns = graph.op("Unsqueeze", [padded, graph.shape(2)]);
	const count = featureCount + 1;
	const directions = graph.op("Mul", [columns, graph.weights([count, WIDTH], 1)]);
	return { name: graph.op("Add", [directions, graph.weights([count, WIDTH], 1)]), count };
}

/** Attention of the tokens in `asking` to all tokens in `input`; the result has the tokens of `asking`. */
function attention(graph: GraphBuilder, asking: Tokens, input: Tokens): string {
	const head = WIDTH / HEADS;
	const split = ({ name, count }: Tokens, order: readonly number[]) =>
		graph.op(
			"Transpose",
			[graph.op("Reshape", [linear(graph, name, WIDTH, WIDTH), graph.shape(0, count, HEADS, head)])],
			{ perm: { ints: order } },
		);
	const query = split(asking, [0, 2, 1, 3]);
	const key = split(input, [0, 2, 3, 1]);
	const value = split(input, [0, 2, 1, 3]);
	const likeness = graph.op("MatMul", [query, key]);
	const weights = graph.op("Softmax", [
		graph.op("Mul", [likeness, graph.constant([], Float32Array.of(1 / Math.sqrt(head)))]),
	]);
	const mixed = graph.op("Transpose", [graph.op("MatMul", [weights, value])], { perm: { ints: [0, 2, 1, 3] } });
	return linear(graph, graph.op("Reshape", [mixed, graph.shape(0, asking.count, WIDTH)]), WIDTH, WIDTH);
}

function feedForward(graph: GraphBuilder, input: string): string {
	return linear(graph, graph.op("Relu", [linear(graph, input, WIDTH, HIDDEN)]), HIDDEN, WIDTH, { afterRelu: true });
}

/** Only the class token is read in the end, so in the last block it alone asks. */
function classToken(graph: GraphBuilder, { name, count }: Tokens): Tokens {
	return { name: graph.op("Gather", [name, graph.shape(count - 1)], { axis: { int: 1 } }), count: 1 };
}

/**
 * An FT-Transformer (Gorishniy et al., "Revisiting Deep Learning Models for Tabular Data", 2021): a token a feature,
 * three pre-norm blocks of width 32 with 4 heads, and a class token that the score is read from. About 100 nodes of
 * standard operators, so the fixed cost of a call is high against its cost a row. Untrained: its cost and its bits
 * are real, its scores mean nothing.
 */
export function buildFt(options: NetworkOptions): Uint8Array {
	return buildNetwork("ft", options, (graph, features) => {
		let stream = tokens(graph, features, options.scale.center.length);
		for (let block = 0; block < BLOCKS; block++) {
			// The paper leaves out the very first normalisation: the tokens are what they are.
			const input = block === 0 ? stream : { ...stream, name: norm(graph, stream.name) };
			const last = block === BLOCKS - 1;
			const asking = last ? classToken(graph, input) : input;
			const { name, count } = last ? classToken(graph, stream) : stream;
			const attended = graph.op("Add", [name, attention(graph, asking, input)]);
			stream = { name: graph.op("Add", [attended, feedForward(graph, norm(graph, attended))]), count };
		}
		const read = graph.op("Reshape", [stream.name, graph.shape(0, WIDTH)]);
		return linear(graph, graph.op("Relu", [norm(graph, read)]), WIDTH, 1, { afterRelu: true });
	});
}

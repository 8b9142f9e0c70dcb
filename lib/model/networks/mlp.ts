import type { GraphBuilder } from "./graph-builder.js";
import { buildNetwork, type NetworkOptions } from "./network.js";

const HIDDEN = 1024;

function dense(graph: GraphBuilder, input: string, from: number, to: number, { afterRelu = false } = {}): string {
	return graph.op("Gemm", [input, graph.weights([from, to], from, { afterRelu }), graph.weights([to], from)]);
}

/**
 * A wide dense network, 6–1024–1024–1: one row must read 4 MB of weights, 32 rows read them once together. Untrained:
 * its cost and its bits are real, its scores mean nothing.
 */
export function buildMlp(options: NetworkOptions): Uint8Array {
	return buildNetwork("mlp", options, (graph, features) => {
		const first = graph.op("Relu", [dense(graph, features, options.scale.center.length, HIDDEN)]);
		const second = graph.op("Relu", [dense(graph, first, HIDDEN, HIDDEN, { afterRelu: true })]);
		return dense(graph, second, HIDDEN, 1, { afterRelu: true });
	});
}

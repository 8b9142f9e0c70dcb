import type { Random } from "../../base/index.js";
import type { Attribute, GraphNode, Tensor } from "../onnx/index.js";

/** Collects nodes and weights in the order in which a network is written down, and names what they make. */
export class GraphBuilder {
	readonly nodes: GraphNode[] = [];
	readonly initializers: Tensor[] = [];
	readonly #random: Random;

	constructor(random: Random) {
		this.#random = random;
	}

	/** A constant; returns the name to use it by. */
	constant(dims: readonly number[], values: Tensor["values"]): string {
		const name = `w${this.initializers.length}`;
		this.initializers.push({ name, dims, values });
		return name;
	}

	/** One scalar or a short list of whole numbers: shapes, axes. */
	shape(...values: readonly number[]): string {
		return this.constant([values.length], BigInt64Array.from(values, BigInt));
	}

	/**
	 * Random weights, uniform in ±√(3 / fanIn): a layer then keeps the size of its values (LeCun et al., 1998); √2 more
	 * after a ReLU, which loses half of them (He et al., 2015). Uniform on purpose: that needs no logarithm, so a seed
	 * gives the same bytes on every machine.
	 */
	weights(dims: readonly number[], fanIn: number, { afterRelu = false } = {}): string {
		const bound = Math.sqrt((afterRelu ? 6 : 3) / fanIn);
		const length = dims.reduce((product, dim) => product * dim, 1);
		const values = new Float32Array(length);
		for (let index = 0; index < length; index++) values[index] = (2 * this.#random() - 1) * bound;
		return this.constant(dims, values);
	}

	/** One node with one output; returns the output's name. */
	op(opType: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
		const output = `${opType.toLowerCase()}${this.nodes.length}`;
		this.nodes.push({ opType, inputs, outputs: [output], attributes });
		return output;
	}

	/** Ends the graph: the last value gets the output's name. */
	output(name: string, opType: string, inputs: readonly string[]): void {
		this.nodes.push({ opType, inputs, outputs: [name] });
	}
}

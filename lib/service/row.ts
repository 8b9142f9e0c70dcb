import { CodedError } from "../base/index.js";
import type { Columns, Model } from "../model/index.js";
import { ServiceError } from "./errors.js";
import type { PredictReply } from "./protocol.js";
import type { PredictOne } from "./schema.js";

/** Where the service finds a customer's features; `openStore` of the shop is one. */
export interface FeatureSource {
	/**
	 * Writes one row's features to `target` from `offset` on.
	 *
	 * @param month `YYYY-MM`; the customer's last month when undefined
	 * @returns the month that was found, undefined when there is no such row
	 */
	lookupInto(customerId: number, month: string | undefined, target: Float32Array, offset: number): string | undefined;
}

/** One customer of a request: what was asked, what the model sees, and, once it is known, what is answered. */
export class Row implements PredictReply {
	readonly customerId: number;
	readonly month: string;
	readonly features: Float32Array;
	score = 0;
	batchSize = 0;
	batchId = 0;

	constructor(customerId: number, month: string, features: Float32Array) {
		this.customerId = customerId;
		this.month = month;
		this.features = features;
	}
}

/**
 * Reads rows from the store.
 *
 * @throws {ServiceError} `UNKNOWN_CUSTOMER`
 */
export class RowReader {
	readonly #source: FeatureSource;
	readonly #width: number;

	constructor(source: FeatureSource, width: number) {
		this.#source = source;
		this.#width = width;
	}

	read({ customerId, month }: PredictOne): Row {
		// 24 bytes live inside the JavaScript heap: cheaper than a shared buffer with a free list.
		const features = new Float32Array(this.#width);
		const found = this.#source.lookupInto(customerId, month, features, 0);
		if (found === undefined) throw this.#unknown(customerId, month, features);
		return new Row(customerId, found, features);
	}

	#unknown(customerId: number, month: string | undefined, scratch: Float32Array): ServiceError {
		const last = month === undefined ? undefined : this.#source.lookupInto(customerId, undefined, scratch, 0);
		return new ServiceError(
			"UNKNOWN_CUSTOMER",
			last === undefined
				? `the store has no customer ${customerId}`
				: `the store has no row of customer ${customerId} for the month ${month}; the last one is ${last}`,
		);
	}
}

/** The one input that a row of features fills. */
export interface ModelInput {
	readonly name: string;
	readonly width: number;
	/** Columns for `rows` rows that lie one after the other in `values`. */
	columns(values: Float32Array): Columns;
}

/**
 * @throws {CodedError} `MODEL_DOES_NOT_FIT` when the model takes more than one input, or whole numbers.
 */
export function modelInput({ name: modelName, inputs }: Model): ModelInput {
	const [input, ...others] = inputs;
	if (input === undefined || others.length > 0 || !input.type.startsWith("float")) {
		const found = inputs.map(({ name, type, width }) => `${name}: ${type} × ${width}`).join(", ") || "none";
		throw new CodedError(
			"MODEL_DOES_NOT_FIT",
			`the service feeds one float input with a customer's features; model "${modelName}" takes ${found}`,
			{ hint: "export the model with a single float32 input of shape [rows, features]" },
		);
	}
	const { name, width } = input;
	return {
		name,
		width,
		columns:
			input.type === "float32" ? (values) => ({ [name]: values }) : (values) => ({ [name]: Float64Array.from(values) }),
	};
}

/**
 * The JSON schemas of `POST /predict`. Validation is compiled by ajv and replies are written by
 * fast-json-stringify, both once at start-up. Nothing is coerced and nothing is dropped: `"13085"` is not 13085,
 * and a misspelt field is an error, not silence.
 */

/** Most customers that one list request may name; 1,024 of them fit into the default body limit. */
export const MAX_LIST = 1024;

/** One customer of the shop, and the month whose row is meant. */
export interface PredictOne {
	readonly customerId: number;
	/** `YYYY-MM`; the customer's last month when absent. */
	readonly month?: string;
}

/** A list request: answered as a whole, in the order asked. */
export interface PredictMany {
	readonly customers: readonly PredictOne[];
}

export type PredictBody = PredictOne | PredictMany;

const CUSTOMER_PROPERTIES = {
	customerId: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
	month: { type: "string", pattern: "^\\d{4}-(0[1-9]|1[0-2])$" },
} as const;

const CUSTOMER = {
	required: ["customerId"],
	properties: CUSTOMER_PROPERTIES,
	additionalProperties: false,
} as const;

/**
 * A body with `customers` is a list, any other is one customer. Not `oneOf`: only the form that was meant is
 * checked, and the message is about that form.
 */
export const PREDICT_BODY = {
	type: "object",
	if: { required: ["customers"] },
	else: CUSTOMER,
	dependencies: {
		customers: {
			properties: {
				customers: {
					type: "array",
					minItems: 1,
					maxItems: MAX_LIST,
					items: { type: "object", ...CUSTOMER },
				},
			},
			additionalProperties: false,
		},
	},
} as const;

export const PREDICT_REPLY = {
	type: "object",
	required: ["customerId", "month", "score", "batchSize", "batchId"],
	properties: {
		customerId: { type: "integer" },
		month: { type: "string" },
		score: { type: "number" },
		batchSize: { type: "integer" },
		batchId: { type: "integer" },
	},
} as const;

export const LIST_REPLY = {
	type: "object",
	required: ["predictions"],
	properties: { predictions: { type: "array", items: PREDICT_REPLY } },
} as const;

export const ERROR_REPLY = {
	type: "object",
	required: ["error"],
	properties: {
		error: {
			type: "object",
			required: ["code", "message"],
			properties: { code: { type: "string" }, message: { type: "string" }, hint: { type: "string" } },
		},
	},
} as const;

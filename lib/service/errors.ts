import { CodedError, hasCode } from "../base/index.js";

/** How one error code answers over HTTP. */
export interface ErrorEntry {
	readonly status: number;
	/** What the caller can do about it. */
	readonly hint?: string;
	/** Seconds after which the same request may succeed. */
	readonly retryAfterSeconds?: number;
	/** The model or the service failed, not the request: counts in `inference_errors_total`. */
	readonly inference?: true;
}

/**
 * Every error the service answers with, by code: its own and the batcher's. An error with any other code is a fault
 * of the model or of ours: 500, with what is known of it.
 */
export const ERROR_TABLE = {
	BAD_BODY: {
		status: 400,
		hint: 'send {"customerId":13085,"month":"2011-11"} (month optional) or {"customers":[{"customerId":13085}]}',
	},
	BAD_HTTP: { status: 400, hint: "send a well-formed HTTP/1.1 request" },
	UNKNOWN_CUSTOMER: { status: 404, hint: "nothing was scored; ask for a customer and a month that the store has" },
	UNKNOWN_ROUTE: { status: 404, hint: "POST /predict, GET /healthz and GET /metrics are served" },
	REQUEST_TIMEOUT: { status: 408, hint: "send the whole request at once" },
	BODY_TOO_LARGE: { status: 413, hint: "ask for fewer customers a request" },
	TOO_MANY_ROWS: { status: 413, hint: "ask for fewer customers a request, or start the service with a longer queue" },
	UNSUPPORTED_MEDIA_TYPE: { status: 415, hint: "send the body as application/json" },
	HEADERS_TOO_LARGE: { status: 431, hint: "send fewer or shorter headers" },
	/** Never sent: the client hung up before its answer. Counted, and its row is dropped. */
	ABORTED: { status: 499 },
	MODEL_FAILED: { status: 500, inference: true },
	BAD_SCORE_COUNT: { status: 500, inference: true },
	NON_FINITE_SCORE: { status: 500, inference: true },
	INTERNAL: { status: 500, inference: true },
	QUEUE_FULL: { status: 503, retryAfterSeconds: 1, hint: "the service is overloaded; ask again later" },
	CLOSED: { status: 503, retryAfterSeconds: 1, hint: "this process is going away; ask another, or again later" },
	MODEL_STUCK: { status: 503, retryAfterSeconds: 1, inference: true, hint: "see GET /healthz" },
	QUEUE_DEADLINE: { status: 504, hint: "the row waited too long and was not scored; ask again later" },
	MODEL_TIMEOUT: { status: 504, inference: true, hint: "the model did not answer in time; see GET /healthz" },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_TABLE;

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_TABLE, code);

/** An error with a place in the table. */
export class ServiceError extends CodedError {
	declare readonly code: ErrorCode;

	constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
		const { hint }: ErrorEntry = ERROR_TABLE[code];
		super(code, message, { ...options, ...(hint === undefined ? {} : { hint }), exitCode: 1 });
	}

	get entry(): ErrorEntry {
		return ERROR_TABLE[this.code];
	}
}

/** What Fastify and Node's HTTP parser call the same things. */
const FOREIGN_CODES: Readonly<Record<string, ErrorCode>> = {
	FST_ERR_VALIDATION: "BAD_BODY",
	FST_ERR_CTP_INVALID_JSON_BODY: "BAD_BODY",
	FST_ERR_CTP_EMPTY_JSON_BODY: "BAD_BODY",
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_BODY",
	FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
	FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
	FST_ERR_BAD_URL: "UNKNOWN_ROUTE",
	ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
	HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
	ECONNRESET: "ABORTED",
};

/** Gives any error its place in the table. */
export function toServiceError(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	if (!hasCode(error)) return new ServiceError("INTERNAL", "the service failed on this request", { cause: error });
	const code = FOREIGN_CODES[error.code] ?? error.code;
	if (isErrorCode(code)) return new ServiceError(code, error.message, { cause: error });
	// A coded error of the model's wrapper (BAD_MODEL_INPUT, …) says what a person needs; anything else may not.
	const message = error instanceof CodedError ? error.message : "the service failed on this request";
	return new ServiceError("INTERNAL", message, { cause: error });
}

/** The body of an error reply; its schema is ERROR_REPLY. */
export function errorBody({ code, message, hint }: ServiceError) {
	return { error: { code, message, ...(hint === undefined ? {} : { hint }) } };
}

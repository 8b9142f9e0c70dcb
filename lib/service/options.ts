import type { FastifyServerOptions } from "fastify";
import type { Model } from "../model/index.js";
import type { BatchLog, StampLog } from "./logs.js";
import type { FeatureSource } from "./row.js";
import type { Setting } from "./setting.js";

/** The options of `createService`. */
export interface ServiceOptions {
	/** What is scored: one float input, as wide as a row of the store. Not used by the two controls, which have no model. */
	readonly model: Model;
	/** Where a customer's features are. `openStore` of the shop, or your own. */
	readonly store: FeatureSource;
	/**
	 * How rows become answers.
	 *
	 * @example
	 * createService({ model, store, setting: parseSetting("b32w0") });
	 */
	readonly setting: Setting;
	/**
	 * Rows that may wait; one more is answered 503 at once.
	 *
	 * @default the batcher's: 1,024, or 4 × B if that is more
	 */
	readonly maxQueue?: number | undefined;
	/**
	 * How long a row may wait for its batch, ms; past it the request is answered 504.
	 *
	 * @default Infinity
	 */
	readonly queueDeadlineMs?: number | undefined;
	/**
	 * How long one model call may take, ms; past it its requests are answered 504 and the service is unhealthy.
	 *
	 * @default Infinity
	 */
	readonly modelTimeoutMs?: number | undefined;
	/**
	 * Model calls that one turn of the loop may launch; see `BatcherOptions.maxInFlight`.
	 *
	 * @default with W = 0 as many as hold 32 rows together, else 1
	 */
	readonly maxInFlight?: number | undefined;
	/**
	 * When a model call fails, score its rows one by one, so that one poison row costs one error.
	 *
	 * @default true
	 */
	readonly isolate?: boolean;
	/**
	 * The longest body, bytes; a longer one is answered 413 and its connection closed.
	 *
	 * @default 65536
	 */
	readonly bodyLimit?: number;
	/**
	 * How long an idle connection is kept, ms. Node's own 5 s would close a client's connections between two runs.
	 *
	 * @default 3600000
	 */
	readonly keepAliveMs?: number;
	/**
	 * How long a client may take to send one request, ms; past it the answer is 408 and the connection is closed.
	 * Checked once a second, or as often as this when it is shorter.
	 *
	 * @default 30000
	 */
	readonly requestTimeoutMs?: number;
	/**
	 * How long `stop` waits for what was accepted, ms; what is left then is cut off.
	 *
	 * @default 10000
	 */
	readonly drainMs?: number;
	/**
	 * Structured logs (pino): one line when a request comes in, one when it is answered.
	 *
	 * @default false
	 */
	readonly logger?: FastifyServerOptions["logger"];
	/** Keeps one entry a batch for the laboratory. @default none */
	readonly batches?: BatchLog | undefined;
	/** Keeps four moments of every request. @default none */
	readonly stamps?: StampLog | undefined;
}

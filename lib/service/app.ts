import type { Server, ServerResponse } from "node:http";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { describeBodyError } from "./body-error.js";
import { ServiceError, toServiceError } from "./errors.js";
import type { ServiceOptions } from "./options.js";
import type { Refusals } from "./refusals.js";
import { TimedRequest } from "./request.js";

export type App = FastifyInstance<Server, TimedRequest, ServerResponse<TimedRequest>, FastifyBaseLogger>;

const HOUR_MS = 3_600_000;

/**
 * The bare Fastify application: limits, timeouts, strict schemas, no route yet. Whatever Fastify itself or Node's
 * parser refuses goes to `refusals`.
 */
export function createApp(
	options: Pick<ServiceOptions, "bodyLimit" | "keepAliveMs" | "requestTimeoutMs" | "logger">,
	refusals: Refusals,
): App {
	const { bodyLimit = 65_536, keepAliveMs = HOUR_MS, requestTimeoutMs = 30_000, logger = false } = options;
	const app: App = Fastify<Server, TimedRequest, ServerResponse<TimedRequest>>({
		logger,
		bodyLimit,
		keepAliveTimeout: keepAliveMs,
		requestTimeout: requestTimeoutMs,
		http: {
			IncomingMessage: TimedRequest,
			headersTimeout: requestTimeoutMs,
			connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
		},
		exposeHeadRoutes: false,
		// While draining, what was sent before the client knew still gets its score (see drain.ts).
		return503OnClosing: false,
		forceCloseConnections: true,
		ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true } },
		schemaErrorFormatter: (errors) => new ServiceError("BAD_BODY", describeBodyError(errors)),
		clientErrorHandler: (error, socket) => refusals.socket(error, socket),
		frameworkErrors: (error, request, reply) => refusals.request(toServiceError(error), { request, reply }, undefined),
	});
	app.removeContentTypeParser("text/plain");
	app.setErrorHandler((error, request, reply) =>
		refusals.request(toServiceError(error), { request, reply }, request.routeOptions.url),
	);
	app.setNotFoundHandler((request, reply) => {
		const error = new ServiceError("UNKNOWN_ROUTE", `there is no ${request.method} ${request.url}`);
		refusals.request(error, { request, reply }, undefined);
	});
	// An expectation that nobody knows is passed over (RFC 9110, 10.1.1); Node would answer it without a body.
	app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
	return app;
}

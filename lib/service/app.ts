import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { describeBodyError } from "./body-error.js";
import { errorBody, ServiceError, toServiceError } from "./errors.js";
import type { Refused } from "./exchange.js";
import type { ServiceOptions } from "./options.js";
import { TimedRequest } from "./request.js";

export type App = FastifyInstance<Server, TimedRequest, ServerResponse<TimedRequest>, FastifyBaseLogger>;

const HOUR_MS = 3_600_000;

/** Answers what is not even HTTP: coded like everything else, and the socket is closed. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): ServiceError {
	const known = toServiceError(error);
	const coded = known.code === "INTERNAL" ? new ServiceError("BAD_HTTP", `not a request: ${error.message}`) : known;
	if (coded.code !== "ABORTED" && socket.writable) {
		const body = JSON.stringify(errorBody(coded));
		socket.write(
			`HTTP/1.1 ${coded.entry.status} ${coded.code}\r\ncontent-type: application/json; charset=utf-8\r\n` +
				`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
		);
	}
	socket.destroySoon();
	return coded;
}

/**
 * The bare Fastify application: limits, timeouts, strict schemas, no route yet. Whatever Fastify itself refuses
 * goes to `onError`; what is not HTTP is answered here and told to `onBadHttp`.
 */
export function createApp(
	options: Pick<ServiceOptions, "bodyLimit" | "keepAliveMs" | "requestTimeoutMs" | "logger">,
	onError: (error: ServiceError, refused: Refused) => void,
	onBadHttp: (error: ServiceError) => void,
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
		clientErrorHandler: (error, socket) => onBadHttp(answerClientError(error, socket)),
		frameworkErrors: (error, request, reply) => onError(toServiceError(error), { request, reply }),
	});
	app.removeContentTypeParser("text/plain");
	app.setErrorHandler((error, request, reply) => onError(toServiceError(error), { request, reply }));
	app.setNotFoundHandler((request, reply) =>
		onError(new ServiceError("UNKNOWN_ROUTE", `there is no ${request.method} ${request.url}`), { request, reply }),
	);
	return app;
}

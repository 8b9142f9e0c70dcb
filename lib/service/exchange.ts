import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";
import type { Connection, Connections, InFlight } from "./connections.js";
import { errorBody, type ServiceError, toServiceError } from "./errors.js";
import type { Instruments, RouteCounts } from "./instruments.js";
import type { StampLog } from "./logs.js";
import { nowNs, startOf, type TimedRequest } from "./request.js";
import type { Row } from "./row.js";
import { LIST_REPLY } from "./schema.js";
import { hasNegativeZero, writeList, writeRow } from "./zero.js";

export type Request<Route extends RouteGenericInterface = RouteGenericInterface> = FastifyRequest<
	Route,
	Server,
	TimedRequest
>;
export type Reply<Route extends RouteGenericInterface = RouteGenericInterface> = FastifyReply<
	Route,
	Server,
	TimedRequest,
	ServerResponse<TimedRequest>
>;

/** What all exchanges of one service share. */
export interface Desk {
	readonly instruments: Instruments;
	readonly connections: Connections;
	/** Absent: no stamps are kept, and none of their clocks are read. */
	readonly stamps: StampLog | undefined;
	/** Replies ask the client to close; nothing else changes for a request that got through. */
	draining: boolean;
}

/** Whatever Fastify hands over beside an error; its own router's errors come with looser types than ours. */
export interface Refused {
	readonly request: { readonly raw: IncomingMessage };
	readonly reply: Pick<FastifyReply, "code" | "header" | "send" | "log">;
}

/** Answers with an error of the table and counts it. Also for requests that never reached a handler. */
export function sendError(desk: Desk, counts: RouteCounts, { request, reply }: Refused, error: ServiceError): void {
	const { status, retryAfterSeconds, inference } = error.entry;
	if (inference) desk.instruments.inferenceErrors++;
	if (status >= 500) reply.log.error({ err: error.cause ?? error, code: error.code }, error.message);
	if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
	if (desk.draining && desk.connections.of(request.raw.socket).inFlight <= 1) reply.header("connection", "close");
	reply.code(status).send(errorBody(error));
	counts.add(status, nowNs() - startOf(request.raw));
}

/** One `POST /predict` from its handler to its reply: answered exactly once, or given up when the client hangs up. */
export class Exchange implements InFlight {
	readonly #desk: Desk;
	readonly #request: Request;
	readonly #reply: Reply;
	readonly #connection: Connection;
	#finished = false;
	#handlerStartNs = 0;
	#rowReadyNs = 0;
	#scoreBackNs = 0;

	constructor(desk: Desk, request: Request, reply: Reply) {
		this.#desk = desk;
		this.#request = request;
		this.#reply = reply;
		if (desk.stamps !== undefined) this.#handlerStartNs = nowNs();
		this.#connection = desk.connections.of(request.raw.socket);
		this.#connection.add(this);
	}

	/** Fires when the client hangs up. */
	get signal(): AbortSignal {
		return this.#connection.signal;
	}

	/** Answered, failed, or given up: nothing more can be said. */
	get finished(): boolean {
		return this.#finished;
	}

	/** The features are read; what follows is the score. */
	rowReady(): void {
		if (this.#desk.stamps !== undefined) this.#rowReadyNs = nowNs();
	}

	answer(row: Row): void {
		if (!this.#finish()) return;
		if (hasNegativeZero(row)) this.#serializeWith(() => writeRow(row));
		this.#reply.send(row);
		this.#count();
	}

	answerList(rows: readonly Row[]): void {
		if (!this.#finish()) return;
		this.#serializeWith(
			rows.some(hasNegativeZero) ? () => writeList(rows) : this.#reply.compileSerializationSchema(LIST_REPLY),
		);
		this.#reply.send({ predictions: rows });
		this.#count();
	}

	fail(reason: unknown): void {
		if (this.#finished) return;
		this.#finished = true;
		const refused = { request: this.#request, reply: this.#reply };
		sendError(this.#desk, this.#desk.instruments.predict, refused, toServiceError(reason));
		this.#connection.remove(this);
	}

	hungUp(): void {
		if (this.#finished) return;
		this.#finished = true;
		this.#desk.instruments.predict.add(499, nowNs() - startOf(this.#request.raw));
	}

	/** False when the answer comes too late. */
	#finish(): boolean {
		if (this.#finished) return false;
		this.#finished = true;
		if (this.#desk.stamps !== undefined) this.#scoreBackNs = nowNs();
		if (this.#desk.draining && this.#connection.inFlight === 1) this.#reply.header("connection", "close");
		return true;
	}

	/** In place of the route's own schema, which is that of one row. Fastify then leaves the type of the text open. */
	#serializeWith(serialize: (payload: { [key: string]: unknown }) => string): void {
		this.#reply.serializer(serialize).header("content-type", "application/json; charset=utf-8");
	}

	#count(): void {
		const endNs = nowNs();
		this.#connection.remove(this);
		this.#desk.instruments.predict.add(200, endNs - startOf(this.#request.raw));
		this.#desk.stamps?.add({
			handlerStartNs: this.#handlerStartNs,
			rowReadyNs: this.#rowReadyNs,
			scoreBackNs: this.#scoreBackNs,
			replyWrittenNs: endNs,
		});
	}
}

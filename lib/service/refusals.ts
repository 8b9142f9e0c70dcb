import type { Socket } from "node:net";
import { errorBody, ServiceError, toServiceError } from "./errors.js";
import { type Desk, type Refused, sendError } from "./exchange.js";
import type { Instruments, RouteCounts } from "./instruments.js";
import { lastOn, nowNs, TimedRequest } from "./request.js";

/**
 * What never reached a handler: counted once, with the status that its client saw, under the route that it asked for.
 * A client that breaks off in the middle of a body is heard of twice, by the parser and by whoever reads the body.
 */
export class Refusals {
	readonly #desk: () => Desk;

	/** @param desk asked for when it is needed, since the application is made before it */
	constructor(desk: () => Desk) {
		this.#desk = desk;
	}

	/** Fastify refuses a request: no such route, or a body that cannot be read or does not fit. */
	request(error: ServiceError, refused: Refused, route: string | undefined): void {
		const { raw } = refused.request;
		if (raw instanceof TimedRequest && raw.counted) return; // its socket has been told, and is gone
		const desk = this.#desk();
		sendError(desk, countsOf(desk.instruments, raw.method, route), refused, error);
	}

	/** Node's parser gives a socket up: what it has sent is not HTTP, or it broke off. */
	socket(error: Error, socket: Socket): void {
		const { instruments, connections } = this.#desk();
		const coded = ofParser(error);
		// While a request is on its way the client would take this for its answer.
		if (coded.code !== "ABORTED" && socket.writable && connections.of(socket).inFlight === 0) {
			socket.write(replyText(coded));
		}
		socket.destroySoon();
		const { status } = coded.entry;
		const request = lastOn(socket);
		if (request === undefined || request.complete) {
			// A hang-up where nothing was being sent: what had been asked before is counted where it is answered.
			if (coded.code !== "ABORTED") instruments.other.add(status, 0);
			return;
		}
		if (request.counted) return;
		request.counted = true;
		const [path] = (request.url ?? "").split("?");
		countsOf(instruments, request.method, path).add(status, nowNs() - request.startNs);
	}
}

function ofParser(error: Error): ServiceError {
	const known = toServiceError(error);
	return known.code === "INTERNAL" ? new ServiceError("BAD_HTTP", `not a request: ${error.message}`) : known;
}

/** A whole reply, coded like everything else; after it the socket is closed. */
function replyText(error: ServiceError): string {
	const body = JSON.stringify(errorBody(error));
	return (
		`HTTP/1.1 ${error.entry.status} ${error.code}\r\ncontent-type: application/json; charset=utf-8\r\n` +
		`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
	);
}

function countsOf({ routes, other }: Instruments, method: string | undefined, route: string | undefined): RouteCounts {
	return routes.find((counts) => counts.route === route && counts.method === method) ?? other;
}

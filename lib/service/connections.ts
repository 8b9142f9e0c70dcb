import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "./errors.js";
import { HangUpSignal } from "./hang-up.js";

/** A request on its way through the service, as its socket sees it. */
export interface InFlight {
	/** The client hung up: nobody reads the answer any more. */
	hungUp(): void;
}

/** One socket and what is in flight on it: one request, or several when the client pipelines. */
export class Connection {
	/** Fires when the client hangs up. One for the socket's whole life: an AbortController a request costs 2.4 µs. */
	readonly signal = new HangUpSignal();
	readonly #inFlight: InFlight[] = [];

	get inFlight(): number {
		return this.#inFlight.length;
	}

	add(request: InFlight): void {
		this.#inFlight.push(request);
	}

	remove(request: InFlight): void {
		const at = this.#inFlight.indexOf(request);
		if (at < 0) return;
		if (this.#inFlight.length === 1) this.#inFlight.pop();
		else this.#inFlight.splice(at, 1);
	}

	close(): void {
		if (this.#inFlight.length === 0) return;
		// Their own bookkeeping first, so that the batcher's rejections find them finished.
		for (const request of this.#inFlight.splice(0)) request.hungUp();
		this.signal.fire(new ServiceError("ABORTED", "the client hung up"));
	}
}

/** The open sockets of a server. */
export class Connections {
	readonly #bySocket = new Map<Socket, Connection>();
	/** Sockets accepted since the start. */
	accepted = 0;

	constructor(server: Server) {
		server.on("connection", (socket: Socket) => {
			this.accepted++;
			this.#bySocket.set(socket, new Connection());
			socket.once("close", () => {
				this.#bySocket.get(socket)?.close();
				this.#bySocket.delete(socket);
			});
		});
	}

	get open(): number {
		return this.#bySocket.size;
	}

	/** Some request has no answer yet, or some answer has not left for the kernel. Looks at every socket. */
	get busy(): boolean {
		for (const [socket, connection] of this.#bySocket) {
			if (connection.inFlight > 0 || socket.writableLength > 0) return true;
		}
		return false;
	}

	/** A socket that was never announced (`app.inject`) or is closed already gets a connection nobody else sees. */
	of(socket: Socket): Connection {
		return this.#bySocket.get(socket) ?? new Connection();
	}
}

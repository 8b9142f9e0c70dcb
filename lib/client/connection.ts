import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import { type Connector, openSocket } from "./connector.js";
import type { Target } from "./target.js";

/** Whoever sent a request learns what becomes of it; every send ends in exactly one `answered` or `failed`. */
export interface RequestOwner {
	/** Its bytes go to the socket now. */
	sent(request: number): void;
	/** The whole reply is there. The connection is the owner's: send again on it, or release it to the pool. */
	answered(connection: Connection, request: number, status: number, reply: Buffer | null): void;
	/** The connection has gone back to the pool. */
	failed(request: number, error: Error): void;
}

/** What the pool must know of its connections. */
export interface ConnectionEvents {
	/** A socket was opened when it was needed: the one before it had been closed. */
	reopened(): void;
	/** The request on the connection failed; `inARow` times now without an answer in between. */
	broke(connection: Connection, inARow: number): void;
	/** The socket was closed while no request was on it. */
	closedIdle(connection: Connection): void;
}

const NONE = -1;
const MOST_KEPT_BYTES = 65_536;

/**
 * One kept-alive connection with at most one request on it: an undici `Client`, whose dispatch handler is the connection
 * itself, so that a request costs no object of ours. The handler has undici 7's first set of methods (`onConnect`,
 * `onHeaders`, …): with the newer set every reply's headers become an object, for 1 to 2 µs of CPU an answer that nobody
 * reads. What undici would do on a clock of its own is off: it retries nothing, and a stuck reply is ended by the drain
 * bound of the run, where it is counted.
 */
export class Connection implements Dispatcher.DispatchHandler {
	readonly #client: Client;
	readonly #connector: Connector;
	readonly #target: Target;
	readonly #events: ConnectionEvents;
	readonly #options: Dispatcher.DispatchOptions;
	readonly #keepReplies: boolean;
	/** Opened beforehand, and undici has not asked for it yet. */
	#opened: Socket | null = null;
	#owner: RequestOwner | null = null;
	#request = NONE;
	#status = 0;
	#reply: Buffer | null = null;
	#brokeInARow = 0;

	constructor(target: Target, connector: Connector, events: ConnectionEvents, keepReplies: boolean) {
		this.#target = target;
		this.#connector = connector;
		this.#events = events;
		this.#keepReplies = keepReplies;
		const { pathname, search, origin } = target.url;
		this.#options = { path: pathname + search, method: target.method, headers: [...target.headers], body: null };
		this.#client = new Client(origin, {
			headersTimeout: 0,
			bodyTimeout: 0,
			keepAliveTimeout: 3_600_000,
			keepAliveMaxTimeout: 3_600_000,
			connect: (options, callback) => this.#connect(options, callback),
		});
		this.#client.on("disconnect", () => {
			if (this.#request === NONE) this.#events.closedIdle(this);
		});
	}

	/** Opens the socket now, so that the first request does not pay for it. */
	open(): Promise<void> {
		return openSocket(this.#connector, this.#target.url).then((socket) => this.#hold(socket));
	}

	send(owner: RequestOwner, request: number, body: Buffer | null): void {
		this.#owner = owner;
		this.#request = request;
		this.#status = 0;
		this.#reply = null;
		this.#options.body = body;
		this.#client.dispatch(this.#options, this);
	}

	/** Requests that broke before are forgotten. */
	forgive(): void {
		this.#brokeInARow = 0;
	}

	destroy(): void {
		this.#owner = null;
		this.#opened?.destroy();
		this.#client.destroy().catch(() => {});
	}

	/** Keeps an opened socket; if its other side closes it or speaks unasked before a request was sent, it is of no use. */
	#hold(socket: Socket): void {
		const drop = () => void socket.destroy();
		this.#opened = socket.once("readable", drop).once("close", () => {
			if (this.#opened !== socket) return;
			this.#opened = null;
			this.#events.closedIdle(this);
		});
		this.#letGo = () => socket.off("readable", drop);
	}

	#letGo: () => void = () => {};

	#connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
		const socket = this.#opened;
		this.#opened = null;
		this.#letGo();
		if (socket === null || socket.destroyed) {
			this.#events.reopened();
			this.#connector(options, callback);
		} else {
			// undici goes on with the request only when it is called back later than it asked
			queueMicrotask(() => callback(null, socket));
		}
	}

	/** @internal undici writes the request next. */
	onConnect(): void {
		this.#owner?.sent(this.#request);
	}

	/** @internal */
	onHeaders(status: number): boolean {
		this.#status = status;
		return true;
	}

	/** @internal */
	onData(chunk: Buffer): boolean {
		if (!this.#keepReplies) return true;
		if (this.#reply === null) this.#reply = chunk;
		else if (this.#reply.length < MOST_KEPT_BYTES) this.#reply = Buffer.concat([this.#reply, chunk]);
		return true;
	}

	/** @internal */
	onComplete(): void {
		const request = this.#request;
		const reply = this.#reply;
		this.#request = NONE;
		this.#reply = null;
		this.#brokeInARow = 0;
		this.#owner?.answered(this, request, this.#status, reply);
	}

	/** @internal */
	onError(error: Error): void {
		const request = this.#request;
		const owner = this.#owner;
		this.#request = NONE;
		this.#reply = null;
		if (owner === null) return;
		this.#events.broke(this, ++this.#brokeInARow);
		owner.failed(request, error);
	}
}

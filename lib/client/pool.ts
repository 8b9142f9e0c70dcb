import { CodedError } from "../base/index.js";
import { Connection, type ConnectionEvents } from "./connection.js";
import { type Connector, createConnector } from "./connector.js";
import type { Target } from "./target.js";

/** Who uses the connections at the moment. */
export interface PoolUser {
	/** A connection that had broken may be used again. */
	available(): void;
	/** Every connection has been given up; nothing more can be sent. */
	exhausted(): void;
}

/** How many sockets are being opened at once: more would overflow the accept queue of a small server. */
const OPEN_AT_ONCE = 64;

/**
 * How long a connection rests after its first, second, … broken request in a row, ms. With the sixth, after a second of
 * rests, it is given up: so a client never loops on a service that closes every connection, and a service that restarts
 * within a second finds its client still there.
 */
const REST_MS = [0, 50, 150, 300, 500];

/**
 * A fixed set of kept-alive connections. The one used last is used next: its caches are warm, and those left over may be
 * closed by a server that dislikes idle ones without any request meeting it.
 */
export class ConnectionPool implements ConnectionEvents {
	readonly #connections: readonly Connection[];
	readonly #free: Connection[];
	readonly #resting = new Set<NodeJS.Timeout>();
	readonly #givenUp: Connection[] = [];
	#user: PoolUser | null = null;
	#reopened = 0;

	private constructor(target: Target, count: number, connector: Connector, keepReplies: boolean) {
		this.#connections = Array.from({ length: count }, () => new Connection(target, connector, this, keepReplies));
		this.#free = [...this.#connections];
	}

	/**
	 * Opens `count` connections.
	 *
	 * @throws {CodedError} `CANNOT_CONNECT`
	 */
	static async open(target: Target, count: number, keepReplies: boolean): Promise<ConnectionPool> {
		const pool = new ConnectionPool(target, count, createConnector(), keepReplies);
		try {
			for (let from = 0; from < count; from += OPEN_AT_ONCE) {
				await Promise.all(pool.#connections.slice(from, from + OPEN_AT_ONCE).map((connection) => connection.open()));
			}
		} catch (error) {
			pool.close();
			const why = error instanceof Error ? describeError(error) : String(error);
			throw new CodedError("CANNOT_CONNECT", `no connection to ${target.url.origin}: ${why}`, {
				hint: "is the service running there, and does it take that many connections?",
				exitCode: 1,
				cause: error,
			});
		}
		return pool;
	}

	/** Sockets opened after the first of each connection. */
	get reopenings(): number {
		return this.#reopened;
	}

	get size(): number {
		return this.#connections.length;
	}

	/** Who comes finds every connection there, also those that were given up before: what counts is not the warm-up's. */
	use(user: PoolUser | null): void {
		this.#user = user;
		if (user === null) return;
		for (const connection of this.#givenUp.splice(0)) {
			connection.forgive();
			this.#free.unshift(connection);
		}
	}

	get hasFree(): boolean {
		return this.#free.length > 0;
	}

	take(): Connection | undefined {
		return this.#free.pop();
	}

	release(connection: Connection): void {
		this.#free.push(connection);
	}

	reopened(): void {
		this.#reopened++;
	}

	broke(connection: Connection, inARow: number): void {
		const restMs = REST_MS[inARow - 1];
		if (restMs === undefined) {
			this.#givenUp.push(connection);
			setImmediate(() => {
				if (this.#givenUp.length === this.size) this.#user?.exhausted();
			});
			return;
		}
		const timer = setTimeout(() => {
			this.#resting.delete(timer);
			this.#free.push(connection);
			this.#user?.available();
		}, restMs);
		this.#resting.add(timer);
	}

	/** It opens again when it is needed; until then connections that are open go first. */
	closedIdle(connection: Connection): void {
		const at = this.#free.indexOf(connection);
		if (at > 0) this.#free.unshift(...this.#free.splice(at, 1));
	}

	close(): void {
		this.#user = null;
		for (const timer of this.#resting) clearTimeout(timer);
		for (const connection of this.#connections) connection.destroy();
	}
}

export const NO_CONNECTION_LEFT = `no connection left: every one broke ${REST_MS.length + 1} times in a row`;

/** An error of the connection in one line, with its code. */
export function describeError(error: Error): string {
	const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
	const message = error.message === "" ? code : error.message;
	return message.includes(code) ? message : `${message} (${code})`;
}

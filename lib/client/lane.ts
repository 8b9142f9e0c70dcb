import { Client } from "undici";

/** What a lane tells its owner. `at` is the index that `send` was given. */
export interface LaneEvents {
	sent(at: number): void;
	answered(lane: Lane, at: number, status: number, body: string): void;
	failed(lane: Lane, at: number, error: Error): void;
}

const HEADERS = ["content-type", "application/json"];

/**
 * One kept-alive connection with at most one request on it. The lane is its own dispatch handler, so a request costs
 * no object of ours.
 */
export class Lane {
	readonly #client: Client;
	readonly #path: string;
	readonly #events: LaneEvents;
	#at = -1;
	#status = 0;
	#body = "";

	constructor(url: URL, events: LaneEvents) {
		// No timeouts of undici's own: the run's drain bound ends what is stuck, and it is counted there.
		this.#client = new Client(url.origin, { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 3_600_000 });
		this.#path = url.pathname + url.search;
		this.#events = events;
	}

	send(at: number, body: string): void {
		this.#at = at;
		this.#status = 0;
		this.#body = "";
		this.#client.dispatch({ path: this.#path, method: "POST", headers: HEADERS, body }, this);
	}

	destroy(): void {
		this.#client.destroy().catch(() => {});
	}

	/** @internal undici is about to write the request. */
	onConnect(): void {
		this.#events.sent(this.#at);
	}

	/** @internal */
	onHeaders(status: number): boolean {
		this.#status = status;
		return true;
	}

	/** @internal A string, not the buffer: a kept buffer would keep the whole read of its socket. */
	onData(chunk: Buffer): boolean {
		this.#body += chunk.toString("latin1");
		return true;
	}

	/** @internal */
	onComplete(): void {
		const at = this.#at;
		this.#at = -1;
		this.#events.answered(this, at, this.#status, this.#body);
	}

	/** @internal */
	onError(error: Error): void {
		const at = this.#at;
		this.#at = -1;
		this.#events.failed(this, at, error);
	}
}

import type { BodySource } from "./bodies.js";
import { RunClock } from "./clock.js";
import type { Connection, RequestOwner } from "./connection.js";
import { RequestLog } from "./log.js";
import { cpuMeter, type LoopResult } from "./loop.js";
import { type ConnectionPool, describeError, NO_CONNECTION_LEFT, type PoolUser } from "./pool.js";

export interface ClosedLoopOptions {
	/** For how long requests are sent, ms. */
	readonly countMs: number;
	/** How long answers are waited for after that, ms. */
	readonly drainMs: number;
	readonly bodies: BodySource;
	/** Replies are predictions, to be read after counting. */
	readonly readReplies: boolean;
}

const FIRST_ROOM = 4096;

/**
 * Every connection asks again as soon as it has its answer. A request is scheduled at the moment it is sent, so such a
 * client never sees a queue longer than its connections: good for the most a service answers, useless for latency.
 */
export class ClosedLoop implements RequestOwner, PoolUser {
	readonly #pool: ConnectionPool;
	readonly #options: ClosedLoopOptions;
	readonly #log: RequestLog;
	readonly #endNs: number;
	#clock = new RunClock();
	#requests = 0;
	#inFlight = 0;
	#over = false;
	#end: () => void = () => {};

	constructor(pool: ConnectionPool, options: ClosedLoopOptions) {
		this.#pool = pool;
		this.#options = options;
		this.#endNs = options.countMs * 1e6;
		this.#log = new RequestLog(FIRST_ROOM, options.readReplies);
	}

	/** Resolves when counting is over and every answer is there, or the drain bound has passed, or no connection is left. */
	async run(): Promise<LoopResult> {
		const { countMs, drainMs } = this.#options;
		const reopenedBefore = this.#pool.reopenings;
		const cpuUs = cpuMeter();
		this.#clock = new RunClock();
		const { epochNs } = this.#clock;
		await new Promise<void>((resolve) => {
			const counted = setTimeout(() => this.#endWhenQuiet(), countMs + 1);
			const bound = setTimeout(() => this.#end(), countMs + drainMs);
			this.#end = () => {
				this.#over = true;
				clearTimeout(counted);
				clearTimeout(bound);
				resolve();
			};
			this.#pool.use(this);
			this.available();
		});
		this.#pool.use(null);
		const spentUs = cpuUs();
		const reopenings = this.#pool.reopenings - reopenedBefore;
		return { epochNs, ...this.#log.end(drainMs), cpuUs: spentUs, reopenings };
	}

	#sendOn(connection: Connection, now: number): void {
		const { bodies } = this.#options;
		const request = this.#log.add(now, bodies.indexOf(this.#requests++));
		this.#inFlight++;
		connection.send(this, request, bodies.bytes(request));
	}

	#endWhenQuiet(): void {
		if (this.#inFlight === 0 && this.#clock.now() >= this.#endNs) this.#end();
	}

	sent(request: number): void {
		this.#log.sent(request, this.#clock.now());
	}

	answered(connection: Connection, request: number, status: number, reply: Buffer | null): void {
		if (this.#over) {
			this.#pool.release(connection);
			return;
		}
		const now = this.#clock.now();
		this.#log.answered(request, now, status, reply);
		this.#inFlight--;
		if (now < this.#endNs) this.#sendOn(connection, now);
		else {
			this.#pool.release(connection);
			this.#endWhenQuiet();
		}
	}

	failed(request: number, error: Error): void {
		if (this.#over) return;
		this.#log.failed(request, describeError(error));
		this.#inFlight--;
		this.#endWhenQuiet();
	}

	available(): void {
		for (let now = this.#clock.now(); now < this.#endNs; now = this.#clock.now()) {
			const connection = this.#pool.take();
			if (connection === undefined) return;
			this.#sendOn(connection, now);
		}
	}

	exhausted(): void {
		this.#log.error(NO_CONNECTION_LEFT);
		this.#end();
	}
}

import type { BodySource } from "./bodies.js";
import { RunClock } from "./clock.js";
import type { Connection, RequestOwner } from "./connection.js";
import { RequestLog } from "./log.js";
import { cpuMeter, type LoopResult } from "./loop.js";
import type { Pacer } from "./pacer.js";
import { createPacer } from "./pacing.js";
import { type ConnectionPool, describeError, NO_CONNECTION_LEFT, type PoolUser } from "./pool.js";

export interface OpenLoopOptions {
	/** ns since the start of counting, ascending. */
	readonly arrivalsNs: Float64Array;
	readonly pacing: "timer" | "precise";
	/** How long answers are waited for after the last arrival, ms. */
	readonly drainMs: number;
	readonly bodies: BodySource;
	/** Replies are predictions, to be read after counting. */
	readonly readReplies: boolean;
}

/**
 * Sends at the scheduled moments, whatever became of earlier requests. One thread sends and receives (the lesson's client
 * had two); the alarm thread beside it only sleeps.
 *
 * Requests leave in scheduled order, so those that are due and wait for a connection are always one range of numbers:
 *
 *     | left | waiting for a connection | not due |
 *            ^ #head                    ^ #next   ^ arrivals.length
 */
export class OpenLoop implements RequestOwner, PoolUser {
	readonly #pool: ConnectionPool;
	readonly #options: OpenLoopOptions;
	readonly #arrivalsNs: Float64Array;
	readonly #pacer: Pacer;
	readonly #log: RequestLog;
	#clock = new RunClock();
	#head = 0;
	#next = 0;
	#settled = 0;
	#turnQueued = false;
	#waiting = false;
	#over = false;
	#end: () => void = () => {};

	private constructor(pool: ConnectionPool, options: OpenLoopOptions, pacer: Pacer) {
		this.#pool = pool;
		this.#options = options;
		this.#arrivalsNs = options.arrivalsNs;
		this.#pacer = pacer;
		this.#log = new RequestLog(options.arrivalsNs.length, options.readReplies);
		options.arrivalsNs.forEach((arrivalNs, request) => {
			this.#log.add(arrivalNs, options.bodies.indexOf(request));
		});
	}

	/** Everything that takes time happens here, before the epoch. */
	static async prepare(pool: ConnectionPool, options: OpenLoopOptions): Promise<OpenLoop> {
		return new OpenLoop(pool, options, await createPacer(options.pacing, options.arrivalsNs));
	}

	/** Resolves when every request has come to an end, or the drain bound has passed, or no connection is left. */
	async run(): Promise<LoopResult> {
		const { drainMs } = this.#options;
		const lastNs = this.#arrivalsNs.at(-1) ?? 0;
		const reopenedBefore = this.#pool.reopenings;
		const cpuUs = cpuMeter();
		this.#clock = new RunClock();
		const { epochNs } = this.#clock;
		await new Promise<void>((resolve) => {
			const bound = setTimeout(() => this.#end(), lastNs / 1e6 + drainMs);
			this.#end = () => {
				this.#over = true;
				clearTimeout(bound);
				resolve();
			};
			this.#pool.use(this);
			if (this.#arrivalsNs.length === 0) return this.#end();
			this.#pacer.start(epochNs, this.#turn);
		});
		this.#pacer.stop();
		this.#pool.use(null);
		const spentUs = cpuUs();
		const reopenings = this.#pool.reopenings - reopenedBefore;
		return { epochNs, ...this.#log.end(drainMs), cpuUs: spentUs, reopenings };
	}

	/** Everything that is due now leaves, as far as there are connections. */
	readonly #turn = (): void => {
		this.#turnQueued = false;
		if (this.#over) return;
		const now = this.#clock.now();
		while ((this.#arrivalsNs[this.#next] ?? Number.POSITIVE_INFINITY) <= now) this.#next++;
		this.#pacer.progress(this.#next);
		while (this.#head < this.#next) {
			const connection = this.#pool.take();
			if (connection === undefined) {
				this.#wait(true);
				return;
			}
			this.#sendOn(connection);
		}
		this.#wait(false);
	};

	/** While every connection is taken, answers say when to send; an alarm would only cost the service's core. */
	#wait(waiting: boolean): void {
		if (waiting === this.#waiting) return;
		this.#waiting = waiting;
		if (waiting) this.#pacer.pause();
		else this.#pacer.resume();
	}

	#sendOn(connection: Connection): void {
		const request = this.#head++;
		connection.send(this, request, this.#options.bodies.bytes(request));
	}

	#isDue(now: number): boolean {
		return (this.#arrivalsNs[this.#next] ?? Number.POSITIVE_INFINITY) <= now;
	}

	sent(request: number): void {
		this.#log.sent(request, this.#clock.now());
	}

	/**
	 * The connection that became free takes the next request at once. Others that are due go on other connections, and
	 * those may not be touched from here: undici's parser, which is calling, cannot be entered twice.
	 */
	answered(connection: Connection, request: number, status: number, reply: Buffer | null): void {
		if (this.#over) {
			this.#pool.release(connection);
			return;
		}
		const now = this.#clock.now();
		this.#log.answered(request, now, status, reply);
		if (this.#head === this.#next && this.#isDue(now)) this.#pacer.progress(++this.#next);
		if (this.#head < this.#next) this.#sendOn(connection);
		else {
			this.#pool.release(connection);
			this.#wait(false);
		}
		if (this.#isDue(now) && this.#pool.hasFree && !this.#turnQueued) {
			this.#turnQueued = true;
			queueMicrotask(this.#turn);
		}
		this.#settle();
	}

	failed(request: number, error: Error): void {
		if (this.#over) return;
		this.#log.failed(request, describeError(error));
		this.#settle();
	}

	available(): void {
		this.#turn();
	}

	exhausted(): void {
		this.#log.error(NO_CONNECTION_LEFT);
		this.#end();
	}

	#settle(): void {
		if (++this.#settled === this.#arrivalsNs.length) this.#end();
	}
}

import type { Registry } from "prom-client";
import { CodedError } from "../base/index.js";
import type { BatcherStats } from "../batcher/index.js";
import { type App, createApp } from "./app.js";
import { Connections } from "./connections.js";
import { drain } from "./drain.js";
import type { Desk } from "./exchange.js";
import { Instruments } from "./instruments.js";
import { listenError } from "./listen-error.js";
import { createRegistry } from "./metrics.js";
import type { ServiceOptions } from "./options.js";
import { Refusals } from "./refusals.js";
import { addHealth, addMetrics, addPredict, type Health } from "./routes.js";
import { modelInput, RowReader } from "./row.js";
import type { Scorer } from "./scorer.js";
import { createScorer } from "./scorers.js";
import { warmUp } from "./warm-up.js";

/** Where to listen. */
export interface ListenOptions {
	/** @default 0: a port the system gives */
	readonly port?: number;
	/** @default "127.0.0.1": this machine only */
	readonly host?: string;
}

/** An HTTP service that scores customers. Made by `createService`. */
export interface Service {
	/**
	 * Warms the model up, then listens. Resolves with the port.
	 *
	 * @throws {CodedError} `PORT_IN_USE`, `PORT_FORBIDDEN`, `UNKNOWN_HOST`, `STOPPED` when `stop` came first
	 */
	listen(options?: ListenOptions): Promise<{ readonly port: number; readonly url: string }>;
	/**
	 * Stops taking connections, answers everything that was accepted, closes. May be called again.
	 *
	 * @returns true when everything was answered within `drainMs`.
	 */
	stop(): Promise<boolean>;
	health(): Health;
	/** Requests to `/predict` answered since the start, with whatever status. */
	readonly answered: number;
	/** Undefined without a batcher. */
	batcherStats(): BatcherStats | undefined;
	/** What `/metrics` shows; add your own metrics to it. */
	readonly registry: Registry;
	/** The Fastify application, to add routes to before `listen`. */
	readonly app: App;
}

class HttpService implements Service {
	readonly app: App;
	readonly registry: Registry;
	readonly #options: ServiceOptions;
	readonly #desk: Desk;
	readonly #scorer: Scorer;
	readonly #warmUp: () => Promise<void>;
	#warm = false;
	#stopping: Promise<boolean> | undefined;
	/** Settles when the port is open, or could not be had. */
	#opened: Promise<unknown> = Promise.resolve();

	constructor(options: ServiceOptions) {
		const instruments = new Instruments();
		const input = modelInput(options.model);
		this.#options = options;
		this.app = createApp(options, new Refusals(() => this.#desk));
		this.#desk = {
			instruments,
			connections: new Connections(this.app.server),
			stamps: options.stamps,
			draining: false,
		};
		this.#scorer = createScorer(options, input, instruments);
		this.registry = createRegistry({
			instruments,
			batcherStats: this.#scorer.batcherStats,
			ready: () => this.health().ready,
			healthy: () => this.health().healthy,
			openConnections: () => this.#desk.connections.open,
		});
		const { model, setting } = options;
		this.#warmUp = async () => {
			if (setting.kind === "none" || setting.kind === "batched")
				await warmUp(model, input, setting.kind === "batched" ? setting.maxBatchSize : 1);
		};
		addPredict(this.app, this.#desk, new RowReader(options.store, input.width), this.#scorer);
		addHealth(this.app, this.#desk, () => this.health());
		addMetrics(this.app, this.#desk, this.registry);
	}

	async listen({ port = 0, host = "127.0.0.1" }: ListenOptions = {}) {
		await this.#warmUp();
		if (this.#stopping !== undefined) {
			throw new CodedError("STOPPED", "the service was stopped before it listened", { exitCode: 1 });
		}
		this.#warm = true;
		const opening = this.app.listen({ port, host });
		this.#opened = opening.catch(() => {});
		await opening.catch((error: unknown) => {
			throw listenError(error, port, host);
		});
		const address = this.app.server.address();
		if (address === null || typeof address === "string") throw new Error("the service does not listen on a port");
		const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
		return { port: address.port, url: `http://${shownHost}:${address.port}` };
	}

	stop(): Promise<boolean> {
		this.#stopping ??= this.#stop();
		return this.#stopping;
	}

	health(): Health {
		const stats = this.#scorer.batcherStats?.();
		const healthy = stats?.healthy ?? true;
		const { draining } = this.#desk;
		return { ready: this.#warm && healthy && !draining, draining, healthy, queue_depth: stats?.waiting ?? 0 };
	}

	batcherStats(): BatcherStats | undefined {
		return this.#scorer.batcherStats?.();
	}

	get answered(): number {
		return this.#desk.instruments.predict.answered;
	}

	async #stop(): Promise<boolean> {
		const { connections, instruments } = this.#desk;
		this.#desk.draining = true;
		await this.#opened; // a port that is being opened would stay open
		const complete = await drain(
			{
				server: this.app.server,
				connections,
				scorer: this.#scorer,
				answered: () => instruments.routes.reduce((sum, route) => sum + route.answered, 0),
			},
			this.#options.drainMs ?? 10_000,
		);
		await this.app.close();
		return complete;
	}
}

/**
 * Builds the service; nothing listens yet. The model and the store stay the caller's: close them after `stop`.
 *
 * @throws {CodedError} `MODEL_DOES_NOT_FIT`, or the batcher's `BAD_OPTION`.
 *
 * @example
 * const service = createService({ model, store, setting: parseSetting("b32w0") });
 * const { url } = await service.listen({ port: 8080 });
 * process.once("SIGTERM", () => service.stop());
 */
export function createService(options: ServiceOptions): Service {
	return new HttpService(options);
}

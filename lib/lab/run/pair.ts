import { type ClientProcess, startClient } from "../../client/index.js";
import { type ServiceProcess, startService } from "../../service/index.js";
import { pinProcess } from "../machine/pins.js";
import type { Session } from "../session/session.js";
import type { RunSpec } from "./spec.js";

/** A fresh service and a fresh client, loaded and idle. */
export interface Pair {
	readonly service: ServiceProcess;
	readonly client: ClientProcess;
	/** How long they took to start, side by side. */
	readonly startMs: number;
}

/**
 * Starts the two processes of a run.
 *
 * @param cpus where they load; none: wherever the system puts them
 */
async function startPair({ assets, signal }: Session, spec: RunSpec, cpus: readonly number[]): Promise<Pair> {
	const began = performance.now();
	const { model, setting, stamps } = spec;
	const on = (cpu: number | undefined) => (cpu === undefined ? { signal } : { signal, pin: cpu });
	const config = { dataDir: assets.dataDir, model, setting, port: 0, stamps };
	const [service, client] = await Promise.allSettled([startService(config, on(cpus.at(-1))), startClient(on(cpus[0]))]);
	if (service.status === "fulfilled" && client.status === "fulfilled") {
		return { service: service.value, client: client.value, startMs: performance.now() - began };
	}
	if (service.status === "fulfilled") await service.value.stop().catch(() => {});
	if (client.status === "fulfilled") await client.value.stop().catch(() => {});
	throw service.status === "rejected" ? service.reason : client.status === "rejected" ? client.reason : undefined;
}

/** Ends both, whatever one of them says. */
export async function stopPair({ service, client }: Pair): Promise<void> {
	const [first, second] = await Promise.allSettled([service.stop(), client.stop()]);
	if (first.status === "rejected") throw first.reason;
	if (second.status === "rejected") throw second.reason;
}

/**
 * The processes of the run that comes next. Loading them takes half a second of CPU, which must fall where nothing is
 * counted: on cores that nothing is measured on while the run before warms up, or else between two runs. Loaded, they
 * sleep until their turn: neither has a timer.
 */
export class PairQueue {
	readonly #session: Session;
	#next: Promise<Pair> | undefined;

	constructor(session: Session) {
		this.#session = session;
	}

	/** While a run warms up: loads the next run's processes where there is a core for it, and is done when they are. */
	async loadBeside(spec: RunSpec | undefined): Promise<void> {
		const { free } = this.#session.placement;
		if (spec === undefined || free.length === 0) return;
		this.#start(spec, free);
		await this.#next?.catch(() => {});
	}

	/** Between two runs: loads the next run's processes unless they are loaded already. */
	async loadBetween(spec: RunSpec | undefined): Promise<void> {
		if (spec !== undefined && this.#next === undefined) this.#start(spec, []);
		await this.#next?.catch(() => {});
	}

	/** The processes for a run, on the measured core. */
	async take(spec: RunSpec): Promise<Pair> {
		const { servicePin, clientPin } = this.#session.placement;
		await this.loadBetween(spec);
		const loaded = this.#next ?? startPair(this.#session, spec, []);
		this.#next = undefined;
		const pair = await loaded;
		try {
			pinProcess(pair.service.pid, servicePin);
			pinProcess(pair.client.pid, clientPin);
			return pair;
		} catch (error) {
			await stopPair(pair).catch(() => {});
			throw error;
		}
	}

	/** Ends what was loaded and never taken. */
	async drop(): Promise<void> {
		const left = await this.#next?.catch(() => undefined);
		this.#next = undefined;
		if (left !== undefined) await stopPair(left).catch(() => {});
	}

	#start(spec: RunSpec, cpus: readonly number[]): void {
		this.#next = startPair(this.#session, spec, cpus);
		this.#next.catch(() => {}); // it is told where it is taken
	}
}

import { type ClientProcess, startClient } from "../../client/index.js";
import { type ServiceProcess, startService } from "../../service/index.js";
import { pinProcess } from "../machine/pins.js";
import type { Session } from "../session/session.js";
import type { RunSpec } from "./spec.js";

/** A fresh service and a fresh client, loaded, on the measured core, and idle. */
export interface Pair {
	readonly service: ServiceProcess;
	readonly client: ClientProcess;
	/** How long they took to start, side by side. */
	readonly startMs: number;
}

/**
 * Starts the two processes of a run. They load wherever the system puts them, on two cores if there are two, and move
 * to the measured core when they are loaded; nothing is timed meanwhile.
 */
export async function startPair({ assets, placement, signal }: Session, spec: RunSpec): Promise<Pair> {
	const began = performance.now();
	const { model, setting, stamps } = spec;
	const starting = [
		startService({ dataDir: assets.dataDir, model, setting, port: 0, stamps }, { signal }),
		startClient({ signal }),
	] as const;
	const [service, client] = await Promise.allSettled(starting);
	if (service.status === "rejected" || client.status === "rejected") {
		if (service.status === "fulfilled") await service.value.stop().catch(() => {});
		if (client.status === "fulfilled") await client.value.stop().catch(() => {});
		throw service.status === "rejected" ? service.reason : client.status === "rejected" ? client.reason : undefined;
	}
	const pair = { service: service.value, client: client.value, startMs: performance.now() - began };
	try {
		pinProcess(pair.service.pid, placement.servicePin);
		pinProcess(pair.client.pid, placement.clientPin);
		return pair;
	} catch (error) {
		await stopPair(pair).catch(() => {});
		throw error;
	}
}

/** Ends both, whatever one of them says. */
export async function stopPair({ service, client }: Pair): Promise<void> {
	const [first, second] = await Promise.allSettled([service.stop(), client.stop()]);
	if (first.status === "rejected") throw first.reason;
	if (second.status === "rejected") throw second.reason;
}

import { CodedError, hasCode } from "../base/index.js";
import type { Model } from "../model/index.js";
import { BatchLog, StampLog } from "./logs.js";
import type { ServiceCommand, ServiceConfig, ServiceMessage } from "./protocol.js";
import type { FeatureSource } from "./row.js";
import { createService, type Service } from "./service.js";
import { parseSetting } from "./setting.js";

/** What a service is made of; closed after its last answer. */
export interface ServiceParts {
	readonly model: Model;
	readonly store: FeatureSource;
	close(): Promise<void>;
}

interface Counting {
	readonly sinceCpu: NodeJS.CpuUsage;
	readonly sinceAnswered: number;
}

/** A service in a process of its own, led by another process over the channel between them. */
class Hosted {
	readonly #service: Service;
	readonly #parts: ServiceParts;
	readonly #batches: BatchLog;
	readonly #stamps: StampLog | undefined;
	#stopping: Promise<never> | undefined;
	#counting: Counting = { sinceCpu: { user: 0, system: 0 }, sinceAnswered: 0 };

	constructor(service: Service, parts: ServiceParts, batches: BatchLog, stamps: StampLog | undefined) {
		this.#service = service;
		this.#parts = parts;
		this.#batches = batches;
		this.#stamps = stamps;
	}

	obey(command: ServiceCommand): void {
		switch (command.type) {
			case "count":
				this.#batches.clear();
				this.#stamps?.clear();
				this.#counting = { sinceCpu: process.cpuUsage(), sinceAnswered: this.#service.answered };
				return;
			case "report":
				say(this.#counted());
				return;
			case "stop":
				this.stop();
		}
	}

	stop(): void {
		this.#stopping ??= this.#end();
	}

	async #end(): Promise<never> {
		const complete = await this.#service.stop();
		await this.#parts.close();
		return process.exit(complete ? 0 : 1);
	}

	#counted(): ServiceMessage {
		const { user, system } = process.cpuUsage(this.#counting.sinceCpu);
		return {
			type: "counted",
			answered: this.#service.answered - this.#counting.sinceAnswered,
			cpuUs: user + system,
			rssBytes: process.memoryUsage.rss(),
			batches: this.#batches.columns(),
			...(this.#stamps === undefined ? {} : { stamps: this.#stamps.columns() }),
		};
	}
}

function say(message: ServiceMessage, then?: () => void): void {
	if (process.send === undefined) throw new CodedError("NO_CHANNEL", "this process is started by startService only");
	process.send(message, undefined, {}, then);
}

function sayFailed(error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof CodedError ? error.hint : undefined;
	const code = hasCode(error) ? error.code : "INTERNAL";
	say({ type: "failed", code, message, ...(hint === undefined ? {} : { hint }) }, () => process.exit(1));
}

function isCommand(value: unknown): value is ServiceCommand {
	return (
		typeof value === "object" &&
		value !== null &&
		"type" in value &&
		["count", "report", "stop"].includes(String(value.type))
	);
}

/**
 * Runs a service in this process under the orders of the parent: says `ready` with the port, counts, reports, stops.
 * It ends when the parent does: a closed channel is the end of it, so no service is ever left behind.
 */
export async function hostService(
	config: ServiceConfig,
	open: (config: ServiceConfig) => Promise<ServiceParts>,
): Promise<void> {
	process.once("disconnect", () => process.exit(1));
	let hosted: Hosted | undefined;
	// Before it listens there is nothing to drain.
	const end = () => (hosted === undefined ? process.exit(0) : hosted.stop());
	process.on("SIGTERM", end);
	process.on("SIGINT", end);
	try {
		const setting = parseSetting(config.setting);
		const parts = await open(config);
		const batches = new BatchLog();
		const stamps = config.stamps ? new StampLog() : undefined;
		const service = createService({
			...parts,
			setting,
			batches,
			stamps,
			maxQueue: config.maxQueue,
			queueDeadlineMs: config.queueDeadlineMs,
			modelTimeoutMs: config.modelTimeoutMs,
		});
		const { port } = await service.listen({
			port: config.port,
			...(config.host === undefined ? {} : { host: config.host }),
		});
		const running = new Hosted(service, parts, batches, stamps);
		hosted = running;
		process.on("message", (message) => {
			if (isCommand(message)) running.obey(message);
		});
		say({ type: "ready", port, pid: process.pid });
	} catch (error) {
		sayFailed(error);
	}
}

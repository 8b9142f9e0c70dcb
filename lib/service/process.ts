import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CodedError } from "../base/index.js";
import type { ServiceCommand, ServiceConfig, ServiceMessage } from "./protocol.js";

export type Counted = Extract<ServiceMessage, { readonly type: "counted" }>;

export interface StartServiceOptions {
	/** The one core the process may run on (`taskset -c`, Linux). @default none: any core */
	readonly pin?: number;
	/** Aborting kills the process; what was being waited for rejects with the signal's reason. */
	readonly signal?: AbortSignal;
	/** The script to run; one that calls `hostService`. @default the workbook's own, with the shop's store and models */
	readonly entry?: string;
	/** How long it may take until it listens, ms. @default 60000 */
	readonly startMs?: number;
	/** How long `stop` waits before it kills, ms. @default 15000 */
	readonly stopMs?: number;
}

export interface ServiceProcess {
	readonly port: number;
	readonly pid: number;
	/** Forgets the warm-up and starts counting. */
	count(): void;
	/** What happened since `count`. */
	report(): Promise<Counted>;
	/** Lets it answer what it has accepted, then ends it; rejects when it did not end well. */
	stop(): Promise<void>;
	/** Resolves with the exit code, or the signal's name, whenever the process ends; never rejects. */
	readonly exited: Promise<number | string>;
}

const ENTRY = fileURLToPath(new URL("./main.js", import.meta.url));
const STDERR_KEPT = 4000;

function isMessage(value: unknown): value is ServiceMessage {
	return typeof value === "object" && value !== null && "type" in value;
}

/** A service process, and what went wrong with it. */
class RunningService {
	readonly exited: Promise<number | string>;
	readonly #child: ChildProcess;
	#stderr = "";

	constructor(child: ChildProcess) {
		this.#child = child;
		child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
		});
		this.exited = new Promise((resolve) => {
			child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
			child.once("error", (error) => {
				this.#stderr += error.message;
				resolve("spawn");
			});
		});
	}

	say(command: ServiceCommand): void {
		if (this.#child.connected) this.#child.send(command);
	}

	/** The next message of a type; rejects when the process says that it failed, or ends, or takes too long. */
	async hear<T extends ServiceMessage["type"]>(
		type: T,
		timeoutMs: number,
		signal?: AbortSignal,
	): Promise<Extract<ServiceMessage, { type: T }>> {
		const timeout = AbortSignal.timeout(timeoutMs);
		const stopped = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
		const ended = new AbortController();
		void this.exited.then(() => ended.abort());
		for (;;) {
			let message: unknown;
			try {
				[message] = await once(this.#child, "message", { signal: AbortSignal.any([stopped, ended.signal]) });
			} catch (error) {
				if (signal?.aborted) throw signal.reason;
				if (timeout.aborted) throw this.failure(`said nothing for ${timeoutMs} ms while "${type}" was expected`);
				if (ended.signal.aborted) throw this.failure(`ended (${await this.exited}) while "${type}" was expected`);
				throw error;
			}
			if (!isMessage(message)) continue;
			if (message.type === "failed")
				throw new CodedError(message.code, message.message, {
					exitCode: 1,
					...(message.hint === undefined ? {} : { hint: message.hint }),
				});
			if (isOfType(message, type)) return message;
		}
	}

	kill(): void {
		this.#child.kill("SIGKILL");
	}

	failure(what: string): CodedError {
		const said = this.#stderr.trim();
		return new CodedError("SERVICE_DIED", `the service process ${what}${said === "" ? "" : `; it said:\n${said}`}`, {
			exitCode: 1,
		});
	}
}

function isOfType<T extends ServiceMessage["type"]>(
	message: ServiceMessage,
	type: T,
): message is Extract<ServiceMessage, { type: T }> {
	return message.type === type;
}

/**
 * Starts a service in a process of its own and waits until it listens. The process ends with this one.
 *
 * @throws {CodedError} what the process says went wrong, or `SERVICE_DIED` with what it wrote to standard error.
 *
 * @example
 * const service = await startService({ dataDir, model: "gbt", setting: "b32w0", port: 0, stamps: false }, { pin: 1 });
 */
export async function startService(config: ServiceConfig, options: StartServiceOptions = {}): Promise<ServiceProcess> {
	const { pin, signal, entry = ENTRY, startMs = 60_000, stopMs = 15_000 } = options;
	signal?.throwIfAborted();
	const command = [process.execPath, entry, JSON.stringify(config)];
	if (pin !== undefined) command.unshift("taskset", "-c", String(pin));
	const [file = process.execPath, ...args] = command;
	const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe", "ipc"], serialization: "advanced" });
	const running = new RunningService(child);
	const kill = () => running.kill();
	signal?.addEventListener("abort", kill, { once: true });
	void running.exited.then(() => signal?.removeEventListener("abort", kill));
	let port: number;
	let pid: number;
	try {
		({ port, pid } = await running.hear("ready", startMs, signal));
	} catch (error) {
		kill();
		throw error;
	}
	return {
		port,
		pid,
		exited: running.exited,
		count: () => running.say({ type: "count" }),
		report() {
			const counted = running.hear("counted", stopMs, signal);
			running.say({ type: "report" });
			return counted;
		},
		async stop() {
			const late = setTimeout(kill, stopMs);
			running.say({ type: "stop" });
			const end = await running.exited;
			clearTimeout(late);
			signal?.throwIfAborted();
			if (end !== 0) throw running.failure(`did not stop well (${end})`);
		},
	};
}

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CodedError } from "../../base/index.js";
import { nodeCommand } from "./pin.js";
import type { AloneCommand, AloneConfig, AloneMessage, AloneSize } from "./protocol.js";

const CHILD = fileURLToPath(new URL("./child.js", import.meta.url));

/** One fresh process of Part A: loaded and warm, and idle until `run`. */
export interface AloneProcess {
	readonly pid: number;
	/** Where the rows are from that it scores, in words. */
	readonly rowsFrom: string;
	/** Times every size, once; resolves with one entry a size, in the order in which they were taken. */
	run(onSize?: (size: AloneSize) => void): Promise<AloneSize[]>;
	/** Ends it, whatever it is doing. */
	stop(): void;
}

/** A measured process is the same whoever starts it: no options of the starter's Node, no channel but its own. */
function cleanEnvironment(): NodeJS.ProcessEnv {
	const { NODE_OPTIONS: _options, NODE_CHANNEL_FD: _channel, ...environment } = process.env;
	return environment;
}

/** Turns a child's messages and its end into promises; whatever ends it early rejects the one that is waited for. */
class Conversation {
	readonly #child: ChildProcess;
	readonly #lines: string[] = [];
	#reject: ((error: Error) => void) | undefined;
	#failure: Error | undefined;

	constructor(child: ChildProcess) {
		this.#child = child;
		child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#lines.push(text));
		child.on("error", (cause) => this.fail(new CodedError("ALONE_FAILED", cause.message, { exitCode: 1, cause })));
		child.on("exit", (code, signal) => {
			const said = this.#lines.join("").trim().split("\n").slice(-3).join(" ");
			const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
			const message = `the process that times the model ended ${how}${said === "" ? "" : `: ${said}`}`;
			this.fail(new CodedError("ALONE_FAILED", message, { exitCode: 1 }));
		});
	}

	fail(error: Error): void {
		this.#failure ??= error;
		this.#reject?.(this.#failure);
	}

	/** Listens until `take` gives a value. */
	until<T>(take: (message: AloneMessage) => T | undefined): Promise<T> {
		return new Promise((resolve, reject) => {
			const onMessage = (message: AloneMessage): void => {
				if (message.type === "failed") {
					const { code, message: text, hint } = message;
					this.fail(new CodedError(code, text, hint === undefined ? { exitCode: 1 } : { exitCode: 1, hint }));
					return;
				}
				const value = take(message);
				if (value === undefined) return;
				this.#child.off("message", onMessage);
				this.#reject = undefined;
				resolve(value);
			};
			this.#reject = reject;
			this.#child.on("message", onMessage);
			if (this.#failure !== undefined) reject(this.#failure);
		});
	}

	send(command: AloneCommand): void {
		this.#child.send(command, (error) => {
			if (error !== null) this.fail(error);
		});
	}
}

/**
 * Starts a process that times a model with no server in it, and waits until it is loaded and warm.
 *
 * @param pin CPU list for `taskset`; null: the system chooses.
 * @throws {CodedError} `ALONE_FAILED`, or what the process reports: `UNKNOWN_MODEL`, `BAD_MODEL_FILE`, …; `INTERRUPTED`.
 */
export async function startAlone(config: AloneConfig, pin: string | null, signal?: AbortSignal): Promise<AloneProcess> {
	const [command, args] = nodeCommand(pin, [CHILD, JSON.stringify(config)]);
	const child = spawn(command, args, {
		stdio: ["ignore", "ignore", "pipe", "ipc"],
		serialization: "advanced",
		env: cleanEnvironment(),
	});
	const conversation = new Conversation(child);
	const interrupt = (): void => {
		conversation.fail(new CodedError("INTERRUPTED", "the measurement was interrupted", { exitCode: 130 }));
		child.kill();
	};
	const stop = (): void => {
		signal?.removeEventListener("abort", interrupt);
		child.kill();
	};
	if (signal?.aborted) interrupt();
	signal?.addEventListener("abort", interrupt, { once: true });
	try {
		const rowsFrom = await conversation.until((message) => (message.type === "ready" ? message.rowsFrom : undefined));
		return {
			pid: child.pid ?? 0,
			rowsFrom,
			async run(onSize) {
				const sizes: AloneSize[] = [];
				conversation.send({ type: "go" });
				return conversation.until((message) => {
					if (message.type !== "size") return undefined;
					sizes.push(message.size);
					onSize?.(message.size);
					return sizes.length === config.order.length ? sizes : undefined;
				});
			},
			stop,
		};
	} catch (error) {
		stop();
		throw error;
	}
}

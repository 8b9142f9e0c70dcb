import { CodedError, hasCode, MORE_PATIENCE, startLimitMs } from "../base/index.js";
import { KernelClient } from "./client.js";
import { type Connection, newConnection, writeConnectionFile } from "./connection.js";
import type { UnseenError } from "./inside/unseen.js";
import { type KernelExit, KernelProcess, type KernelProcessOptions } from "./process.js";
import { Requests } from "./requests.js";
import type { Message } from "./wire.js";

export interface KernelEvents {
	/** A published message that belongs to the request with this id, also when that one is long done. */
	readonly onMessage: (requestId: string, message: Message) => void;
	/** Text that went past the protocol, from native code. */
	readonly onRawOutput: (name: "stdout" | "stderr", text: string) => void;
	/** A cell threw where nobody was waiting for it. */
	readonly onUnseenError: (error: UnseenError) => void;
}

export interface ExecuteReply {
	readonly requestId: string;
	readonly status: "ok" | "error";
	readonly executionCount: number | null;
}

export interface KernelOptions extends KernelProcessOptions {
	/** How long a start may take. @default `WORKBOOK_START_LIMIT` of the environment, else 60 000 */
	readonly startLimitMs?: number;
	/**
	 * How long a reply may stay without the `idle` that follows it.
	 *
	 * @default 4 000, or a fifth of what the start took where that is more: on a machine so slow everything takes longer
	 */
	readonly lostMessageMs?: number;
	/** How long an ending kernel gets before SIGTERM, and again before SIGKILL. @default 2 000 */
	readonly endGraceMs?: number;
}

const READY_AGAIN_MS = 250;
/** A kernel that has not answered at all is asked less often: it will have to answer every question. */
const SILENT_AGAIN_MS = 2_000;
const LOST_MESSAGE_MS = 4_000;
const LOST_SHARE_OF_START = 0.2;
const START_TRIES = 3;
/** tslab answers `abort` to every request in the 200 ms after an error; such a cell has not run. */
const ABORT_AGAIN_MS = 50;

/**
 * A running kernel. Every promise it gives settles: with the answer, or with a CodedError – `KERNEL_DIED` the moment
 * the process is gone, `LOST_MESSAGE` when one of the two halves of an answer stays away, or every answer is a refusal.
 */
export class Kernel {
	readonly #process: KernelProcess;
	readonly #client: KernelClient;
	readonly #requests: Requests;
	readonly #endGraceMs: number;
	#languageInfo: Record<string, unknown> = {};

	private constructor(process: KernelProcess, connection: Connection, options: KernelOptions, events: KernelEvents) {
		this.#process = process;
		this.#requests = new Requests(options.lostMessageMs ?? LOST_MESSAGE_MS);
		this.#endGraceMs = options.endGraceMs ?? 2_000;
		this.#client = new KernelClient(connection, {
			onPublished: (message) => {
				events.onMessage(message.parent.msg_id ?? "", message);
				this.#requests.published(message);
			},
			onReply: (message) => this.#requests.replied(message),
			onBroken: (error) => this.#requests.break(error),
		});
		void process.exited.then((exit) => this.#requests.break(died(exit)));
	}

	/**
	 * Starts a kernel and waits until it answers.
	 *
	 * @throws {CodedError} `KERNEL_NOT_STARTED` when it ends or stays silent instead.
	 */
	static async start(options: KernelOptions, events: KernelEvents): Promise<Kernel> {
		for (let attempt = 1; ; attempt++) {
			let said = "";
			const listen: KernelEvents = {
				...events,
				onRawOutput(name, text) {
					said = (said + text).slice(-2_000);
					events.onRawOutput(name, text);
				},
			};
			try {
				return await Kernel.#startOnce(options, listen, () => said);
			} catch (error) {
				// Another process may take a port between the choice and the kernel's bind.
				if (attempt === START_TRIES || !said.includes("EADDRINUSE")) throw error;
			}
		}
	}

	static async #startOnce(options: KernelOptions, events: KernelEvents, said: () => string): Promise<Kernel> {
		const connection = await newConnection();
		const file = await writeConnectionFile(connection);
		try {
			const process = await KernelProcess.start(file.path, options, events);
			const startedMs = performance.now();
			const kernel = new Kernel(process, connection, options, events);
			try {
				await kernel.#ready(options.startLimitMs ?? startLimitMs(), said);
				const shareMs = (performance.now() - startedMs) * LOST_SHARE_OF_START;
				kernel.#requests.lostMessageMs = options.lostMessageMs ?? Math.max(LOST_MESSAGE_MS, shareMs);
				return kernel;
			} catch (error) {
				await kernel.kill();
				throw error;
			}
		} finally {
			await file.remove();
		}
	}

	get pid(): number {
		return this.#process.pid;
	}

	get exited(): Promise<KernelExit> {
		return this.#process.exited;
	}

	/** What the kernel says of its language; goes into the notebook's metadata. */
	get languageInfo(): Record<string, unknown> {
		return this.#languageInfo;
	}

	/** Runs a cell's source and waits for its end. `onSent` tells the request's id before any message of it comes. */
	async execute(code: string, onSent: (requestId: string) => void): Promise<ExecuteReply> {
		const firstMs = performance.now();
		for (;;) {
			const content = {
				code,
				silent: false,
				store_history: true,
				user_expressions: {},
				allow_stdin: false,
				stop_on_error: false,
			};
			let requestId = "";
			const reply = await this.#requests.ask(() => {
				requestId = this.#client.request("execute_request", content);
				onSent(requestId);
				return requestId;
			});
			const { status, execution_count: count } = reply.content;
			if (status === "abort" || status === "aborted") {
				const refusedMs = performance.now() - firstMs;
				if (refusedMs > this.#requests.lostMessageMs) throw refused(this.#requests.lostMessageMs);
				await new Promise((resolve) => setTimeout(resolve, ABORT_AGAIN_MS));
				continue;
			}
			return {
				requestId,
				status: status === "ok" ? "ok" : "error",
				executionCount: typeof count === "number" ? count : null,
			};
		}
	}

	/** Interrupts the running cell. A synchronous loop does not notice; only `kill` ends it. */
	interrupt(): void {
		this.#process.interrupt();
	}

	/** Asks the kernel to end; SIGTERM after the grace time, SIGKILL for whatever is left of its group after that. */
	async shutdown(): Promise<KernelExit> {
		if (this.#process.exit === undefined) this.#client.request("shutdown_request", { restart: false }, "control");
		const exit = await this.#process.end(this.#endGraceMs);
		this.#client.close();
		return exit;
	}

	async kill(): Promise<KernelExit> {
		const exit = await this.#process.kill();
		this.#client.close();
		return exit;
	}

	/**
	 * A late subscriber misses what was published before, so the question is repeated until both answers to one are seen.
	 * Here an `idle` that stays away means only that.
	 */
	async #ready(limitMs: number, said: () => string): Promise<void> {
		let ask: NodeJS.Timeout | undefined;
		let limit: NodeJS.Timeout | undefined;
		try {
			const info = await new Promise<Message>((resolve, reject) => {
				let askedMs = Number.NEGATIVE_INFINITY;
				const again = () => {
					const silentMs = this.#requests.unanswered ? performance.now() - askedMs : Number.POSITIVE_INFINITY;
					if (silentMs < SILENT_AGAIN_MS) return;
					askedMs = performance.now();
					const answer = this.#requests.ask(() => this.#client.request("kernel_info_request", {}));
					answer.then(resolve, (error) => {
						if (!hasCode(error) || error.code !== "LOST_MESSAGE") reject(error);
					});
				};
				again();
				ask = setInterval(again, READY_AGAIN_MS);
				limit = setTimeout(
					() => reject(new CodedError("KERNEL_SILENT", `no answer within ${limitMs / 1_000} s`)),
					limitMs,
				);
			});
			const language = info.content.language_info;
			if (typeof language === "object" && language !== null) this.#languageInfo = { ...language };
		} catch (cause) {
			const reason = cause instanceof Error ? cause.message : String(cause);
			const detail = said().trim();
			const slow = hasCode(cause) && cause.code === "KERNEL_SILENT";
			throw new CodedError(
				"KERNEL_NOT_STARTED",
				`the kernel did not start: ${reason}${detail === "" ? "" : `\n${detail}`}`,
				{ exitCode: 1, cause, ...(slow ? { hint: MORE_PATIENCE } : {}) },
			);
		} finally {
			clearInterval(ask);
			clearTimeout(limit);
			this.#requests.forget();
		}
	}
}

function refused(triedMs: number): CodedError {
	const message = `the kernel refused the cell for ${triedMs / 1_000} s: it failed inside`;
	return new CodedError("LOST_MESSAGE", message, { exitCode: 1 });
}

function died({ code, signal }: KernelExit): CodedError {
	const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
	const memory = "SIGKILL often comes from the system when memory runs out";
	return new CodedError("KERNEL_DIED", `the kernel ${how}`, {
		exitCode: 1,
		...(signal === "SIGKILL" ? { hint: memory } : {}),
	});
}

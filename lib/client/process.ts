import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CodedError } from "../base/index.js";
import type { ClientCommand, ClientConfigure, ClientMessage } from "./protocol.js";

export type ClientDone = Extract<ClientMessage, { readonly type: "done" }>;

export interface StartClientOptions {
	/** The one core the process may run on (`taskset -c`, Linux). @default none: any core */
	readonly pin?: number;
	/** Aborting kills the process; what was being waited for rejects. */
	readonly signal?: AbortSignal;
}

export interface ClientProcess {
	readonly pid: number;
	/** Resolves when the client is warm. */
	configure(configuration: ClientConfigure): Promise<void>;
	/** Starts counting. */
	go(): void;
	/** Resolves when every request has come to an end. */
	readonly result: Promise<ClientDone>;
	stop(): Promise<void>;
	/** The exit code, or the signal's name; never rejects. */
	readonly exited: Promise<number | string>;
}

const ENTRY = fileURLToPath(new URL("./main.js", import.meta.url));

/**
 * Starts a client in a process of its own, and resolves when that has loaded and is idle. It ends with this one.
 *
 * @throws {CodedError} `CLIENT_DIED` with what it wrote to standard error
 */
export async function startClient({ pin, signal }: StartClientOptions = {}): Promise<ClientProcess> {
	signal?.throwIfAborted();
	const command =
		pin === undefined ? [process.execPath, ENTRY] : ["taskset", "-c", String(pin), process.execPath, ENTRY];
	const [file = process.execPath, ...args] = command;
	const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe", "ipc"], serialization: "advanced" });
	let stderr = "";
	child.stderr?.setEncoding("utf8").on("data", (text: string) => {
		stderr = (stderr + text).slice(-4000);
	});
	const exited = new Promise<number | string>((resolve) => {
		child.once("close", (code, name) => resolve(code ?? name ?? "unknown"));
		child.once("error", (error) => {
			stderr += error.message;
			resolve("spawn");
		});
	});
	const kill = () => void child.kill("SIGKILL");
	signal?.addEventListener("abort", kill, { once: true });
	void exited.then(() => signal?.removeEventListener("abort", kill));

	const hear = <T extends ClientMessage["type"]>(type: T) =>
		new Promise<Extract<ClientMessage, { type: T }>>((resolve, reject) => {
			child.on("message", (message: ClientMessage) => {
				if (message.type === "failed") reject(failure(message));
				else if (isOfType(message, type)) resolve(message);
			});
			void exited.then((end) => {
				const said = stderr.trim();
				reject(
					signal?.aborted
						? signal.reason
						: new CodedError(
								"CLIENT_DIED",
								`the client process ended (${end})${said === "" ? "" : `; it said:\n${said}`}`,
								{ exitCode: 1 },
							),
				);
			});
		});
	const ready = hear("ready");
	const warm = hear("warm");
	const result = hear("done");
	// Whoever asks for neither must not die of it.
	warm.catch(() => {});
	result.catch(() => {});
	const say = (message: ClientCommand) => {
		if (child.connected) child.send(message);
	};
	await ready;
	if (child.pid === undefined) throw new Error("a process that speaks has a pid");
	return {
		pid: child.pid,
		exited,
		result,
		go: () => say({ type: "go" }),
		async configure(configuration) {
			say(configuration);
			await warm;
		},
		async stop() {
			say({ type: "stop" });
			const late = setTimeout(kill, 5000);
			await exited;
			clearTimeout(late);
		},
	};
}

/** What the client refused is wrong usage; what it could not do is a failed measurement. */
function failure({ code, message, hint }: Extract<ClientMessage, { type: "failed" }>): CodedError {
	const usage = code.startsWith("BAD_") || code === "NO_ARRIVALS";
	return new CodedError(code, message, { exitCode: usage ? 2 : 1, ...(hint === undefined ? {} : { hint }) });
}

function isOfType<T extends ClientMessage["type"]>(
	message: ClientMessage,
	type: T,
): message is Extract<ClientMessage, { type: T }> {
	return message.type === type;
}

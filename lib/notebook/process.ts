import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { CodedError } from "../base/index.js";
import { LIFELINE_VARIABLE } from "./inside/lifeline.js";
import type { UnseenError } from "./inside/unseen.js";

export interface KernelExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

export interface KernelProcessOptions {
	/** Working folder of the kernel: the notebook's own, as in Jupyter. */
	readonly cwd: string;
	/** Added to this process's environment. */
	readonly env?: Readonly<Record<string, string>>;
	/** Program and arguments in place of the kernel with the fixes; `{connection_file}` stands for the path. */
	readonly command?: readonly string[];
	/** JavaScript in place of TypeScript. @default false */
	readonly javascript?: boolean;
}

export interface KernelProcessEvents {
	/** Text written to the process's own output, past the protocol: by native code, or before it was ready. */
	readonly onRawOutput: (name: "stdout" | "stderr", text: string) => void;
	readonly onUnseenError: (error: UnseenError) => void;
}

/** Path of the program that is a kernel with the fixes; `workbook kernel install` names it too. */
export const KERNEL_PROGRAM = fileURLToPath(new URL("./inside/main.js", import.meta.url));

/** Kernels that run now; whatever ends this process in an orderly way ends them too. */
const running = new Set<KernelProcess>();
process.on("exit", () => {
	for (const kernel of running) void kernel.kill();
});

/** One kernel process in a process group of its own, watched: `exited` settles the moment it is gone. */
export class KernelProcess {
	readonly pid: number;
	readonly exited: Promise<KernelExit>;
	#exit: KernelExit | undefined;

	private constructor(child: ChildProcess, pid: number, events: KernelProcessEvents) {
		this.pid = pid;
		running.add(this);
		this.exited = new Promise((resolve) => {
			child.once("exit", (code, signal) => {
				this.#exit = { code, signal };
				running.delete(this);
				resolve(this.#exit);
			});
		});
		for (const name of ["stdout", "stderr"] as const) {
			child[name]?.setEncoding("utf8").on("data", (text: string) => events.onRawOutput(name, text));
		}
		const lifeline = child.stdio[3];
		if (lifeline instanceof Object && "on" in lifeline) {
			lifeline.on("error", () => {}); // the kernel is gone; `exited` tells
			createInterface({ input: lifeline as Readable }).on("line", (line) => {
				const message: { readonly type: string } & UnseenError = JSON.parse(line);
				if (message.type === "unseen-error") events.onUnseenError(message);
			});
		}
	}

	/** @throws {CodedError} `KERNEL_NOT_STARTED` when the program cannot be run. */
	static async start(
		connectionPath: string,
		options: KernelProcessOptions,
		events: KernelProcessEvents,
	): Promise<KernelProcess> {
		const { cwd, env = {}, javascript = false } = options;
		const ours = [process.execPath, KERNEL_PROGRAM, "{connection_file}", ...(javascript ? ["--js"] : [])];
		const [program = process.execPath, ...rest] = options.command ?? ours;
		const child = spawn(
			program,
			rest.map((argument) => argument.replace("{connection_file}", () => connectionPath)),
			{
				cwd,
				env: { ...process.env, ...env, [LIFELINE_VARIABLE]: "3" },
				stdio: ["ignore", "pipe", "pipe", "pipe"],
				detached: process.platform !== "win32",
				windowsHide: true,
			},
		);
		await new Promise<void>((resolve, reject) => {
			child.once("spawn", resolve);
			child.once("error", (cause) => {
				const message = `cannot start the kernel in ${cwd}: ${cause.message}`;
				reject(new CodedError("KERNEL_NOT_STARTED", message, { exitCode: 1, cause }));
			});
		});
		if (child.pid === undefined) throw new Error("a spawned process has a pid");
		return new KernelProcess(child, child.pid, events);
	}

	get exit(): KernelExit | undefined {
		return this.#exit;
	}

	/** What Ctrl-C is to a program. The cell's children hear of it from the cell. */
	interrupt(): void {
		this.#signal(this.pid, "SIGINT");
	}

	/** Waits for the kernel to end by itself, then asks with SIGTERM, then kills it and all it left behind. */
	async end(graceMs: number): Promise<KernelExit> {
		if (!(await this.#endsWithin(graceMs))) {
			this.#signal(this.pid, "SIGTERM");
			await this.#endsWithin(graceMs);
		}
		return this.kill();
	}

	/** SIGKILL for the kernel and every process in its group. */
	async kill(): Promise<KernelExit> {
		if (process.platform === "win32") this.#signal(this.pid, "SIGKILL");
		else this.#signal(-this.pid, "SIGKILL");
		return this.exited;
	}

	async #endsWithin(limitMs: number): Promise<boolean> {
		if (this.#exit !== undefined) return true;
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<false>((resolve) => {
			timer = setTimeout(resolve, limitMs, false);
		});
		const ended = await Promise.race([this.exited.then(() => true), late]);
		clearTimeout(timer);
		return ended;
	}

	#signal(pid: number, signal: NodeJS.Signals): void {
		try {
			process.kill(pid, signal);
		} catch {
			// gone already
		}
	}
}

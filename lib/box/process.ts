import { type ChildProcess, spawn } from "node:child_process";
import { CodedError, hasCode } from "../base/index.js";

export interface Finished {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

export interface ProgramOptions {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
	/** Everything the program reads. Nothing by default. */
	readonly input?: string | Uint8Array;
	/** Called with each whole line of standard output, as it comes. */
	readonly onLine?: (line: string) => void;
	/** Ends the program. */
	readonly signal?: AbortSignal;
	/** Ends the program unless standard error holds `text` within `ms`; `late` makes the error. */
	readonly sign?: { readonly text: string; readonly ms: number; readonly late: () => Error };
}

/** Exit codes of ssh and rsync that were ended by a signal. */
const BY_SIGNAL = new Set([20, 130, 255]);
/** A terminal's Ctrl-C reaches the program and us at once; whose end is heard of first is chance. */
const SAME_MOMENT_MS = 100;

/**
 * Runs a program with arguments as they are, without any shell, and waits for its end. A signal's end counts as code 128.
 *
 * @throws {CodedError} `TOOL_MISSING` when there is no such program, `INTERRUPTED` when `signal` fires, what `sign` says
 */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions = {}): Promise<Finished> {
	const { cwd, env, input = "", onLine, signal, sign } = options;
	if (signal?.aborted) return Promise.reject(interrupted());
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {
			stdio: ["pipe", "pipe", "pipe"],
			...(cwd === undefined ? {} : { cwd }),
			...(env === undefined ? {} : { env }),
		});
		const stop = () => end(child);
		signal?.addEventListener("abort", stop, { once: true });
		let tooLate = false;
		const limit =
			sign &&
			setTimeout(() => {
				tooLate = true;
				end(child);
			}, sign.ms);
		let stdout = "";
		let stderr = "";
		let shown = 0;
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			stdout += text;
			for (let cut = stdout.indexOf("\n", shown); onLine && cut >= 0; cut = stdout.indexOf("\n", shown)) {
				onLine(stdout.slice(shown, cut));
				shown = cut + 1;
			}
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			stderr += text;
			if (sign !== undefined && stderr.includes(sign.text)) clearTimeout(limit);
		});
		child.stdin.on("error", () => {}); // it may end before it has read everything: its exit code says why
		child.stdin.end(input);
		child.on("error", (cause) => {
			clearTimeout(limit);
			signal?.removeEventListener("abort", stop);
			const missing = hasCode(cause) && cause.code === "ENOENT";
			reject(
				missing
					? new CodedError("TOOL_MISSING", `this step needs the program "${program}", which is not here`, {
							cause,
							hint: `install ${program} (OpenSSH and rsync come with most systems)`,
						})
					: cause,
			);
		});
		child.on("close", async (code) => {
			clearTimeout(limit);
			if (signal !== undefined && (code === null || BY_SIGNAL.has(code))) {
				await pause(SAME_MOMENT_MS, signal).catch(() => {});
			}
			signal?.removeEventListener("abort", stop);
			if (signal?.aborted) reject(interrupted());
			else if (tooLate && sign !== undefined) reject(sign.late());
			else resolve({ code: code ?? 128, stdout, stderr });
		});
	});
}

function end(child: ChildProcess): void {
	child.kill("SIGTERM");
	setTimeout(() => child.kill("SIGKILL"), 2000).unref();
}

export function interrupted(): CodedError {
	return new CodedError("INTERRUPTED", "interrupted", { exitCode: 130 });
}

/**
 * Waits, unless the signal fires.
 *
 * @throws {CodedError} `INTERRUPTED`
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return Promise.reject(interrupted());
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(interrupted());
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", stop);
			resolve();
		}, ms);
		signal?.addEventListener("abort", stop, { once: true });
	});
}

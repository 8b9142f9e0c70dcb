import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CodedError } from "../../base/index.js";
import type { OnProgress } from "../session/progress.js";
import type { BitResult, RequestScores, ScoreMessage, ScoreTask } from "./tasks.js";

export interface ScoreOptions {
	readonly onProgress?: OnProgress;
	readonly signal?: AbortSignal;
}

function isMessage(value: unknown): value is ScoreMessage {
	return typeof value === "object" && value !== null && "type" in value;
}

/** Runs a task in a process of its own until it says one of `wanted`. The process never outlives the call. */
function ask<T>(task: ScoreTask, options: ScoreOptions, pick: (message: ScoreMessage) => T | undefined): Promise<T> {
	const { onProgress, signal } = options;
	const entry = fileURLToPath(new URL("main.js", import.meta.url));
	const child = fork(entry, [JSON.stringify(task)], {
		serialization: "advanced",
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	const kill = (): void => void child.kill("SIGKILL");
	process.once("exit", kill);
	signal?.addEventListener("abort", kill, { once: true });
	return new Promise<T>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", (code, end) => {
			if (signal?.aborted) reject(signal.reason);
			reject(
				new CodedError("SCORING_DIED", `the scoring process ended (${end ?? code}) before it was done`, {
					exitCode: 1,
				}),
			);
		});
		child.on("message", (message) => {
			if (!isMessage(message)) return;
			const value = pick(message);
			if (value !== undefined) resolve(value);
			else if (message.type === "progress") onProgress?.(message);
			else if (message.type === "failed") {
				const hint = message.hint === undefined ? {} : { hint: message.hint };
				reject(new CodedError(message.code, message.message, { exitCode: 1, ...hint }));
			}
		});
		if (signal?.aborted) kill();
	}).finally(() => {
		process.off("exit", kill);
		signal?.removeEventListener("abort", kill);
		kill();
	});
}

/** Are batched scores the single-row scores, bit for bit; over the test rows, in a fresh process. */
export function checkBits(
	task: Omit<Extract<ScoreTask, { task: "bits" }>, "task">,
	options: ScoreOptions = {},
): Promise<BitResult> {
	return ask({ task: "bits", ...task }, options, (message) => (message.type === "bits" ? message.value : undefined));
}

/** Float32 bits of the single-row score of every request; null when the model does not take the shop's features. */
export async function scoreRequests(
	dataDir: string,
	model: string,
	options: ScoreOptions = {},
): Promise<Uint32Array | null> {
	const pick = (message: ScoreMessage): RequestScores | undefined =>
		message.type === "requests" ? message.value : undefined;
	return (await ask({ task: "requests", dataDir, model }, options, pick)).bits;
}

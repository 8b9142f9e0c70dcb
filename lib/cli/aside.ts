import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CodedError } from "../base/index.js";
import type { ProgressEvent } from "./io.js";

/**
 * Work that `workbook run` leaves to a process beside it, so that the one which lives as long as all notebooks holds
 * no model, no native library and none of the memory that a training leaves behind.
 */
export interface AsideTasks {
	/** Checks the profile's name, prepares store and models where they are needed, and finds or makes the run's folder. */
	readonly prepare: {
		readonly task: {
			readonly profile: string | undefined;
			/** False for notebooks that are not the workbook's own. */
			readonly assets: boolean;
			/** Continue the latest run. */
			readonly resume: boolean;
			/** A folder that somebody named. */
			readonly outDir: string | undefined;
		};
		readonly answer: RunPlace;
	};
	/** What a finished run showed, in lines. */
	readonly summary: { readonly task: { readonly runDir: string }; readonly answer: readonly string[] };
}

export interface RunPlace {
	readonly runDir: string;
	/** Folder of the run before, if there was one: it tells how long cells take. */
	readonly earlierDir: string | undefined;
}
export type AsideName = keyof AsideTasks;

/** aside → command */
export type AsideMessage =
	| ({ readonly type: "progress" } & ProgressEvent)
	| { readonly type: "answer"; readonly value: AsideTasks[AsideName]["answer"] }
	| {
			readonly type: "failed";
			readonly code: string;
			readonly message: string;
			readonly hint: string | undefined;
			readonly exitCode: 1 | 2 | 130;
	  };

/** Runs one task aside. Its CodedErrors arrive as they were thrown. */
export function aside<N extends AsideName>(
	name: N,
	task: AsideTasks[N]["task"],
	signal: AbortSignal,
	onProgress: (event: ProgressEvent) => void = () => {},
): Promise<AsideTasks[N]["answer"]> {
	const program = fileURLToPath(new URL("./aside-main.js", import.meta.url));
	const child = fork(program, [name, JSON.stringify(task)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
	const stop = () => child.kill("SIGINT");
	signal.addEventListener("abort", stop);
	return new Promise<AsideTasks[N]["answer"]>((resolve, reject) => {
		child.on("message", (message: AsideMessage) => {
			if (message.type === "progress") onProgress(message);
			else if (message.type === "answer") resolve(message.value);
			else reject(new CodedError(message.code, message.message, { exitCode: message.exitCode, ...hintOf(message) }));
		});
		child.on("error", reject);
		child.on("exit", (code, killedBy) => {
			if (signal.aborted) reject(new CodedError("INTERRUPTED", "interrupted", { exitCode: 130 }));
			const how = killedBy === null ? `ended with exit code ${code}` : `was ended by ${killedBy}`;
			reject(new CodedError("ASIDE_DIED", `the process for "${name}" ${how}`, { exitCode: 1 }));
		});
	}).finally(() => signal.removeEventListener("abort", stop));
}

function hintOf({ hint }: { readonly hint: string | undefined }): { readonly hint?: string } {
	return hint === undefined ? {} : { hint };
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CodedError } from "../../base/index.js";
import { pinProcess } from "./pins.js";

/** Tells how fast the measured core is right now. */
export interface Canary {
	/** Median ns of the fixed work. About 20 ms of the core. */
	time(): Promise<number>;
	stop(): void;
}

async function answer(child: ChildProcess): Promise<unknown> {
	const gone = new AbortController();
	try {
		const died = once(child, "exit", { signal: gone.signal }).then(([code, signal]) => {
			throw new CodedError("CANARY_DIED", `the canary's process stopped (${signal ?? code})`, { exitCode: 1 });
		});
		const told = once(child, "message", { signal: gone.signal }).then(([message]): unknown => message);
		return await Promise.race([told, died]);
	} finally {
		gone.abort();
	}
}

/** Starts the canary's process on `pin` (null: wherever the system puts it). */
export async function startCanary(pin: string | null): Promise<Canary> {
	const child = fork(fileURLToPath(new URL("canary-main.js", import.meta.url)), {
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	const stop = (): void => void child.kill("SIGKILL");
	process.once("exit", stop);
	try {
		await answer(child);
		if (child.pid !== undefined) pinProcess(child.pid, pin);
	} catch (error) {
		stop();
		throw error;
	}
	child.unref();
	child.channel?.unref();
	return {
		async time() {
			child.channel?.ref();
			const reply = answer(child);
			child.send("time");
			const ns = await reply;
			child.channel?.unref();
			if (typeof ns === "number") return ns;
			throw new CodedError("CANARY_DIED", `the canary said ${String(ns)} instead of a time`, { exitCode: 1 });
		},
		stop() {
			process.off("exit", stop);
			stop();
		},
	};
}

/** |after − before| as a share of the smaller one: 0.5 for half as fast again, in either direction. */
export function driftOf(beforeNs: number, afterNs: number): number {
	return Math.abs(afterNs - beforeNs) / Math.min(afterNs, beforeNs);
}

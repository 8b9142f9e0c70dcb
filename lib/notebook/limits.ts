import type { RunFailure } from "./hooks.js";
import type { ExecuteReply, Kernel } from "./kernel.js";

export type StopReason = Extract<RunFailure["kind"], "cell-limit" | "run-limit" | "interrupted">;

export interface StopRules {
	readonly cellLimitMs?: number | undefined;
	/** Time left for the whole run. */
	readonly runLeftMs?: number | undefined;
	readonly signal?: AbortSignal | undefined;
	/** How long a cell may take to stop once it was interrupted; then the kernel is killed. */
	readonly graceMs: number;
}

/** The reply is missing when the kernel had to be killed. */
export interface Outcome {
	readonly reply?: ExecuteReply;
	readonly stopped?: StopReason;
}

/**
 * Runs a cell until it ends, or until a limit or a signal stops it: first an interrupt, which reaches an `await` and
 * lets the cell clean up, then SIGKILL, since nothing else ends a synchronous loop behind an `await`.
 */
export async function executeWithin(
	kernel: Kernel,
	code: string,
	onSent: (requestId: string) => void,
	{ cellLimitMs, runLeftMs, signal, graceMs }: StopRules,
): Promise<Outcome> {
	let stopped: StopReason | undefined;
	const timers: NodeJS.Timeout[] = [];
	const stop = (reason: StopReason) => {
		if (stopped !== undefined) return;
		stopped = reason;
		kernel.interrupt();
		timers.push(setTimeout(() => void kernel.kill(), graceMs));
	};
	const limit = (ms: number | undefined, reason: StopReason) => {
		if (ms !== undefined && ms < MAX_TIMER_MS) timers.push(setTimeout(stop, Math.max(0, ms), reason));
	};
	const interrupted = () => stop("interrupted");
	limit(cellLimitMs, "cell-limit");
	limit(runLeftMs, "run-limit");
	signal?.addEventListener("abort", interrupted);
	try {
		const reply = await kernel.execute(code, onSent);
		return stopped === undefined ? { reply } : { reply, stopped };
	} catch (error) {
		if (stopped !== undefined) return { stopped };
		throw error;
	} finally {
		for (const timer of timers) clearTimeout(timer);
		signal?.removeEventListener("abort", interrupted);
	}
}

/** A longer timeout fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

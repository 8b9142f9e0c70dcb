import type { RequestColumns } from "./protocol.js";

/** What a counted loop, closed or open, hands back. */
export interface LoopResult {
	/** CLOCK_MONOTONIC at the start of counting, ns. */
	readonly epochNs: bigint;
	readonly columns: RequestColumns;
	/** CPU of this whole process while counting and draining, all threads, µs. */
	readonly cpuUs: number;
	/** Errors by message. */
	readonly errors: Readonly<Record<string, number>>;
	/** Connections that had to be opened again, because their socket had been closed. */
	readonly reopenings: number;
}

/** CPU of this process since the call, µs. */
export function cpuMeter(): () => number {
	const start = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(start);
		return user + system;
	};
}

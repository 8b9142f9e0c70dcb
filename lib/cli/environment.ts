import { availableParallelism, cpus, loadavg, release } from "node:os";
import { runtimeVersion } from "../model/index.js";

/** Where a command measured, for its `--json`: times mean nothing without it. */
export interface MeasuredOn {
	readonly platform: string;
	readonly arch: string;
	readonly kernel: string;
	readonly cpu: string;
	/** CPUs this process may use. */
	readonly cores: number;
	/** Over 1, 5 and 15 minutes, when the command was done; zeros on Windows, which has none. */
	readonly loadAverage: readonly number[];
	readonly node: string;
	readonly onnxruntime: string;
	readonly engine: string;
	/** Threads inside one model call. */
	readonly threads: number;
	/** CPU list that the timed processes were pinned to; null: the system chose. */
	readonly pin: string | null;
}

export async function measuredOn({
	threads = 1,
	pin = null,
}: {
	threads?: number;
	pin?: string | null;
} = {}): Promise<MeasuredOn> {
	return {
		platform: process.platform,
		arch: process.arch,
		kernel: release(),
		cpu: cpuName(),
		cores: availableParallelism(),
		loadAverage: loadavg(),
		node: process.versions.node,
		onnxruntime: await runtimeVersion(),
		engine: "onnxruntime-node, public API",
		threads,
		pin,
	};
}

export function cpuName(): string {
	return cpus()[0]?.model.trim() || "not available";
}

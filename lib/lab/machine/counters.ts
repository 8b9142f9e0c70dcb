import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { type CpuTimes, type ProcStat, parseProcStat } from "./procstat.js";

/** Where the counters come from: the kernel's own file, or what Node tells on every system. */
export type CounterSource = "proc" | "os";

export interface Counters extends ProcStat {
	readonly source: CounterSource;
}

function readText(path: string): string | null {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return null;
	}
}

/** CPU counters now. Outside Linux from `os.cpus()`: the same shares, without steal and context switches. */
export function readCounters(): Counters {
	const text = readText("/proc/stat");
	const parsed = text === null ? null : parseProcStat(text);
	if (parsed !== null) return { ...parsed, source: "proc" };
	const times = cpus().map(({ times }, cpu): [number, CpuTimes] => {
		const total = times.user + times.nice + times.sys + times.idle + times.irq;
		return [cpu, { idle: times.idle, steal: 0, total }];
	});
	return { cpus: new Map(times), contextSwitches: null, source: "os" };
}

/** Clock of one CPU now, MHz; null where the system does not tell. */
export function frequencyMhz(cpu: number): number | null {
	const khz = readText(`/sys/devices/system/cpu/cpu${cpu}/cpufreq/scaling_cur_freq`);
	if (khz !== null && Number(khz) > 0) return Number(khz) / 1000;
	const lines = readText("/proc/cpuinfo")?.match(/^cpu MHz\s*:\s*([\d.]+)$/gm) ?? [];
	const line = lines[cpu] ?? lines[0];
	return line === undefined ? null : Number(line.split(":")[1]);
}

/** How the kernel picks the clock of a CPU (`performance`, `powersave`, …); null where there is no choice. */
export function governor(cpu: number): string | null {
	return readText(`/sys/devices/system/cpu/cpu${cpu}/cpufreq/scaling_governor`)?.trim() ?? null;
}

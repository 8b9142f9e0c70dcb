/**
 * /proc/stat: where each CPU's time went since boot, in ticks (10 ms on most systems).
 *
 *     cpu1 6454 0 3049 58255 418 0 129 16 0 0
 *          user nice system idle iowait irq softirq steal guest guest_nice
 *
 * guest is part of user and guest_nice of nice, so neither is added again. proc(5).
 */
export interface CpuTimes {
	readonly idle: number;
	readonly steal: number;
	readonly total: number;
}

export interface ProcStat {
	/** By CPU number; offline CPUs are missing. */
	readonly cpus: ReadonlyMap<number, CpuTimes>;
	/** Context switches of the whole machine since boot; null where the line is missing. */
	readonly contextSwitches: number | null;
}

/** Unknown lines are passed over: every kernel adds some. Null when no CPU line is found. */
export function parseProcStat(text: string): ProcStat | null {
	const cpus = new Map<number, CpuTimes>();
	let contextSwitches: number | null = null;
	for (const line of text.split("\n")) {
		const [label = "", ...fields] = line.trim().split(/\s+/);
		if (label === "ctxt") contextSwitches = Number(fields[0]);
		const cpu = /^cpu(\d+)$/.exec(label);
		if (cpu === null) continue;
		const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = fields.map(Number);
		cpus.set(Number(cpu[1]), {
			idle: idle + iowait,
			steal,
			total: user + nice + system + idle + iowait + irq + softirq + steal,
		});
	}
	return cpus.size === 0 ? null : { cpus, contextSwitches };
}

/** What happened between two looks, over the CPUs looked at. Shares are 0…1. */
export interface Usage {
	/** Of the busiest CPU. */
	readonly idleShare: number;
	/** The busiest CPU. */
	readonly cpu: number;
	/** Of all of them together. */
	readonly overallIdleShare: number;
	readonly stealShare: number;
}

/**
 * Shares of idle and stolen time between two looks; null when no tick has passed on any of the CPUs.
 *
 * @param cpus which CPUs; absent: all of them.
 */
export function usageBetween(before: ProcStat, after: ProcStat, cpus?: readonly number[]): Usage | null {
	let idleShare = Number.POSITIVE_INFINITY;
	let busiest = -1;
	let idle = 0;
	let steal = 0;
	let total = 0;
	for (const cpu of cpus ?? after.cpus.keys()) {
		const from = before.cpus.get(cpu);
		const to = after.cpus.get(cpu);
		if (from === undefined || to === undefined || to.total <= from.total) continue;
		const ticks = to.total - from.total;
		// iowait may run backwards (proc(5)), so a share may come out below zero
		const idleTicks = Math.max(0, to.idle - from.idle);
		idle += idleTicks;
		steal += Math.max(0, to.steal - from.steal);
		total += ticks;
		if (idleTicks / ticks < idleShare) {
			idleShare = idleTicks / ticks;
			busiest = cpu;
		}
	}
	return total === 0 ? null : { idleShare, cpu: busiest, overallIdleShare: idle / total, stealShare: steal / total };
}

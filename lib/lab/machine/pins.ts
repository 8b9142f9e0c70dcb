import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { CodedError } from "../../base/index.js";

/** Which CPUs the timed processes run on. */
export interface Placement {
	/** `shared`: one core for client and service. `separate`: a core each. `unpinned`: the system chooses. */
	readonly topology: "shared" | "separate" | "unpinned";
	/** CPU lists for taskset; null: nothing is pinned. */
	readonly servicePin: string | null;
	readonly clientPin: string | null;
	/** The CPUs that must be quiet; null: all together. */
	readonly measured: readonly number[] | null;
	/** CPUs that are not measured: where the next run's processes may load meanwhile. */
	readonly free: readonly number[];
	/** How many CPUs the lab may use at all. */
	readonly cores: number;
}

/** What a machine can do about placement. */
export interface PinFacts {
	/** CPU numbers this process may run on, ascending; null: the system does not tell. */
	readonly allowed: readonly number[] | null;
	readonly hasTaskset: boolean;
	/** True when two CPUs are threads of one core. */
	readonly sameCore: (one: number, other: number) => boolean;
}

/** Reads the kernel's way of writing CPU sets: `0-2,5` → 0, 1, 2, 5. */
export function parseCpuList(text: string): number[] {
	return text
		.trim()
		.split(",")
		.filter((part) => part !== "")
		.flatMap((part) => {
			const [from = Number.NaN, to = from] = part.split("-").map(Number);
			return Array.from({ length: to - from + 1 }, (_, i) => from + i);
		});
}

function readOr(path: string, otherwise: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return otherwise;
	}
}

function siblings(cpu: number): number[] {
	return parseCpuList(readOr(`/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`, String(cpu)));
}

/** The facts of this machine. */
export function pinFacts(): PinFacts {
	const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readOr("/proc/self/status", ""))?.[1];
	return {
		allowed: allowed === undefined ? null : parseCpuList(allowed),
		hasTaskset: process.platform === "linux" && spawnSync("taskset", ["--version"]).status === 0,
		sameCore: (one, other) => siblings(one).includes(other),
	};
}

/**
 * Chooses the measured cores: the last ones, since systems put their own interrupts on the first. With one core nothing
 * is pinned, as on the rented box. Where nothing can be pinned the topology is `unpinned`, never a guess.
 *
 * @throws {CodedError} `TOPOLOGY` for `separate` on one core.
 */
export function choosePlacement(wanted: "shared" | "separate", facts: PinFacts = pinFacts()): Placement {
	const { allowed } = facts;
	const cores = allowed?.length ?? availableParallelism();
	if (wanted === "separate" && cores < 2) {
		throw new CodedError("TOPOLOGY", `topology "separate" needs two cores; this process may use ${cores}`, {
			hint: "use topology shared, or start it with more cores",
		});
	}
	if (cores === 1) return { topology: "shared", servicePin: null, clientPin: null, measured: allowed, free: [], cores };
	const last = allowed?.at(-1);
	if (allowed === null || last === undefined || !facts.hasTaskset) {
		return { topology: "unpinned", servicePin: null, clientPin: null, measured: null, free: [], cores };
	}
	const service = String(last);
	if (wanted === "shared") {
		const free = allowed.slice(0, -1);
		return { topology: "shared", servicePin: service, clientPin: service, measured: [last], free, cores };
	}
	const others = allowed.slice(0, -1).reverse();
	const other = others.find((cpu) => !facts.sameCore(cpu, last)) ?? others[0] ?? last;
	const free = allowed.filter((cpu) => cpu !== last && cpu !== other);
	return { topology: "separate", servicePin: service, clientPin: String(other), measured: [last, other], free, cores };
}

/**
 * Moves a running process, with all its threads, to `pin`. The processes of a run load elsewhere, or on every core there
 * is, and move to the measured core when they are loaded.
 *
 * @throws {CodedError} `PIN_FAILED`
 */
export function pinProcess(pid: number, pin: string | null): void {
	if (pin === null) return;
	const { status, stderr } = spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", pin, String(pid)], {
		encoding: "utf8",
	});
	if (status !== 0) {
		throw new CodedError("PIN_FAILED", `process ${pid} could not be moved to CPU ${pin}: ${stderr.trim()}`, {
			exitCode: 1,
		});
	}
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * The core that Part A is pinned to when nobody names one: the last that this process may use, since systems put
 * their own interrupts on the first. Null – nothing is pinned – on one core, and where there is no `taskset`.
 */
export function defaultPin(): string | null {
	if (process.platform !== "linux") return null;
	let status: string;
	try {
		status = readFileSync("/proc/self/status", "utf8");
	} catch {
		return null;
	}
	const [, several, last] = /^Cpus_allowed_list:\s*(\S+[-,])?(\d+)\s*$/m.exec(status) ?? [];
	if (several === undefined || last === undefined) return null;
	return spawnSync("taskset", ["--version"]).status === 0 ? last : null;
}

/** The command line that starts Node with a script, pinned or not. */
export function nodeCommand(pin: string | null, args: readonly string[]): readonly [string, readonly string[]] {
	if (pin === null) return [process.execPath, args];
	return ["taskset", ["--cpu-list", pin, process.execPath, ...args]];
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LabRun, type OpenRunOptions, openRun, type Profile, profileNamed, withValues } from "batching-lab/lab";

/** Store and models for every test of the laboratory, built once a clone. */
process.env.BATCHING_LAB_DATA = join(
	import.meta.dirname,
	"..",
	"..",
	"..",
	"node_modules",
	".cache",
	"batching-lab-test",
);

/** A schedule of seconds: two settings of one model at one rate, one round, and a machine that need not be quiet. */
export function tinyProfile(values: Partial<Profile> = {}): Profile {
	return withValues(profileNamed("smoke"), {
		name: "tiny",
		models: ["gbt"],
		rateMultiples: [0.5],
		arrivalSeconds: 0.2,
		quietSeconds: 0.02,
		quietWaitSeconds: 0,
		warmupSeconds: 0.1,
		connections: 8,
		closedConnections: 4,
		closedSeconds: 0.2,
		saturationSettings: ["none"],
		aloneSizes: [1, 4],
		aloneRounds: 1,
		aloneBudgetMs: 5,
		bitRows: 50,
		bitSizes: [2],
		...values,
	});
}

/** A run of the tiny schedule in `folder`, with a lock of its own, so that tests do not refuse each other. */
export function openTiny(folder: string, options: OpenRunOptions = {}): Promise<LabRun> {
	process.env.BATCHING_LAB_LOCK = join(folder, "lock");
	return openRun({ profile: tinyProfile(), dir: join(folder, "run"), root: folder, ...options });
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// a zombie has ended; only its parent has not asked yet
		const stat = `/proc/${pid}/stat`;
		return !existsSync(stat) || !/^\d+ \(.*\) Z/s.test(readFileSync(stat, "utf8"));
	} catch {
		return false;
	}
}

/** Children of a process, with their command lines (Linux). */
export function childrenOf(pid: number): { readonly pid: number; readonly command: string }[] {
	const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
	return text
		.split(" ")
		.filter((part) => part !== "")
		.map(Number)
		.map((child) => ({ pid: child, command: readFileSync(`/proc/${child}/cmdline`, "utf8").replaceAll("\0", " ") }));
}

/** Waits until `is` holds, at most 20 s. */
export async function until(is: () => boolean, what: string): Promise<void> {
	for (const end = Date.now() + 20_000; !is(); ) {
		if (Date.now() > end) throw new Error(`${what} did not happen within 20 s`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

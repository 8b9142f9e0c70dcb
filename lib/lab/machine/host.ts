import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { arch, cpus, hostname, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { type Environment, type Known, NOT_AVAILABLE } from "../../record/index.js";
import { linesOf, outputOf } from "./command.js";
import { frequencyMhz, governor, readCounters } from "./counters.js";
import type { Placement } from "./pins.js";

function known<T>(value: T | null | undefined): Known<T> {
	return value ?? NOT_AVAILABLE;
}

function readOrNull(path: string): string | null {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return null;
	}
}

/** Open log-ins, one line each; null where `who` does not tell. */
export async function logIns(): Promise<readonly string[] | null> {
	if (process.platform === "win32") return null;
	const text = await outputOf("who", []);
	return text === null ? null : linesOf(text);
}

/** Active systemd timers, by the name of what they start. */
async function timers(): Promise<readonly string[] | null> {
	const text = await outputOf("systemctl", ["list-timers", "--no-legend", "--plain", "--no-pager"]);
	return text === null ? null : linesOf(text).map((line) => line.split(/\s+/).at(-1) ?? line);
}

/** Is a cron service running, and which files would it read: systemd's timers can be stopped while cron goes on. */
async function cronJobs(): Promise<readonly string[] | null> {
	if (process.platform === "win32") return null;
	const active = await outputOf("pgrep", ["-x", "cron|crond|atd|anacron"]);
	const folders = ["/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily", "/etc/cron.weekly", "/etc/cron.monthly"];
	const files = folders.filter(existsSync).flatMap((folder) =>
		readdirSync(folder)
			.filter((name) => !name.startsWith("."))
			.map((name) => join(folder, name)),
	);
	const own = (await outputOf("crontab", ["-l"])) ?? "";
	const lines = linesOf(own).filter((line) => !line.startsWith("#"));
	return [active === null ? "cron is not running" : "cron is running", ...files, ...lines];
}

/** Is this a virtual machine; null where the processor does not tell. */
function hypervisor(): boolean | null {
	const flags = /^flags\s*:(.*)$/m.exec(readOrNull("/proc/cpuinfo") ?? "")?.[1];
	return flags === undefined ? null : / hypervisor( |$)/.test(flags);
}

/** Share of time that went to other guests since boot. */
function stealSinceBoot(): number | null {
	const counters = readCounters();
	if (counters.source !== "proc") return null;
	let [steal, total] = [0, 0];
	for (const times of counters.cpus.values()) {
		steal += times.steal;
		total += times.total;
	}
	return total === 0 ? null : steal / total;
}

async function gitCommit(root: string): Promise<string | null> {
	const commit = await outputOf("git", ["rev-parse", "HEAD"], root);
	if (commit === null) return null;
	const changes = await outputOf("git", ["status", "--porcelain", "--untracked-files=no"], root);
	return changes === "" ? commit : `${commit} with changes`;
}

function lockFileHash(root: string): string | null {
	const text = readOrNull(join(root, "package-lock.json"));
	return text === null ? null : createHash("sha256").update(text).digest("hex");
}

/** Changes with every boot; pids and monotonic clocks mean nothing across one. */
export function bootId(): string {
	return readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? NOT_AVAILABLE;
}

export interface HostOptions {
	/** The project, for its commit and lock file. */
	readonly root: string;
	readonly placement: Placement;
	readonly onnxruntime: string | null;
	readonly sqlite: string | null;
	/** Which API scores, in words. */
	readonly engine: string;
	readonly threads: number;
}

/** Everything that is known of this machine. What a system does not tell is "not available", never an error. */
export async function describeHost(options: HostOptions): Promise<Environment> {
	const { root, placement } = options;
	const [users, timed, cron, commit] = await Promise.all([logIns(), timers(), cronJobs(), gitCommit(root)]);
	const cpu = placement.measured?.[0] ?? 0;
	return {
		host: hostname(),
		platform: platform(),
		arch: arch(),
		kernel: release(),
		cpu: cpus()[0]?.model.trim() ?? NOT_AVAILABLE,
		cores: placement.cores,
		memoryBytes: totalmem(),
		frequencyMhz: known(frequencyMhz(cpu)),
		governor: known(governor(cpu)),
		hypervisor: known(hypervisor()),
		node: process.versions.node,
		onnxruntime: known(options.onnxruntime),
		engine: options.engine,
		sqlite: known(options.sqlite),
		threads: options.threads,
		stealShare: known(stealSinceBoot()),
		loadAverage: loadavg(),
		logIns: known(users),
		timers: known(timed),
		cronJobs: known(cron),
		gitCommit: known(commit),
		lockFileHash: known(lockFileHash(root)),
		topology: placement.topology,
		servicePin: placement.servicePin,
		clientPin: placement.clientPin,
	};
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that carries this process's pid, so that a later run finds what a killed one left. */
export function tempFolder(kind: string): string {
	return mkdtempSync(join(tmpdir(), `box-${kind}-${process.pid}-`));
}

/** The user of a box, named by the process that made it. */
export function userName(pid: number = process.pid): string {
	return `boxtest${pid}`;
}

/** The file with sshd's pid. */
export const SSHD_PID = "sshd.pid";

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// it has ended by itself
	}
}

/** Runs a program whose failure does not matter. */
function quietly(program: string, ...args: readonly string[]): void {
	try {
		execFileSync(program, args, { stdio: "ignore" });
	} catch {
		// there was nothing to do
	}
}

/** Ends what `start` left running below a home, by the pids that it wrote. */
export function endRuns(home: string): void {
	const boxes = join(home, "batching-box");
	if (!existsSync(boxes)) return;
	for (const entry of readdirSync(boxes, { recursive: true, withFileTypes: true })) {
		if (entry.name !== "pid" || !entry.isFile()) continue;
		const pid = Number(readFileSync(join(entry.parentPath, entry.name), "utf8").split(" ")[0]);
		if (pid > 1) kill(-pid);
	}
}

/** Removes a box's folder, with what is mounted in it. */
export function removeFolder(folder: string): void {
	const home = join(folder, "home");
	if (existsSync("/proc/mounts") && readFileSync("/proc/mounts", "utf8").includes(` ${home} `)) quietly("umount", home);
	rmSync(folder, { recursive: true, force: true });
}

/** Clears away users, servers and folders of test processes that were killed before they could. */
export function sweep(): void {
	for (const name of readdirSync(tmpdir())) {
		const pid = Number(/^box-[a-z]+-(\d+)-/.exec(name)?.[1]);
		if (!(pid > 0) || isAlive(pid)) continue;
		const folder = join(tmpdir(), name);
		const sshd = existsSync(join(folder, SSHD_PID)) ? Number(readFileSync(join(folder, SSHD_PID), "utf8")) : 0;
		// a pid may be somebody else's by now
		const command = `/proc/${sshd}/cmdline`;
		if (sshd > 0 && existsSync(command) && readFileSync(command, "utf8").includes(folder)) kill(sshd);
		endRuns(join(folder, "home"));
		if (process.getuid?.() === 0) quietly("userdel", "--force", userName(pid));
		removeFolder(folder);
	}
}

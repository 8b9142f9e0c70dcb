import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	renameSync,
	rmdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../base/index.js";
import { ASSET_FILES, MANIFEST_FILE } from "./manifest.js";

/** Complete new files wait here for their last step. */
const PENDING = ".pending";
/** How the systems say that a folder is not empty. */
const OCCUPIED: readonly string[] = ["ENOTEMPTY", "EEXIST", "EPERM"];
const ATTEMPTS = 100;
const BUILDING = /^\.building-(\d+)-/;

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return !(hasCode(error) && error.code === "ESRCH");
	}
}

/** Makes a step that another process may have made first. */
function unless(codes: readonly string[], step: () => void): void {
	try {
		step();
	} catch (error) {
		if (!(hasCode(error) && codes.includes(error.code))) throw error;
	}
}

/**
 * Finishes what a killed or a concurrent process began. `.pending` appears by one rename and is complete when it
 * does, so moving its files into place can be repeated by anybody, any number of times, until it is empty.
 */
export function rollForward(dataDir: string): void {
	const pending = join(dataDir, PENDING);
	if (!existsSync(pending)) return;
	for (const file of [...ASSET_FILES, MANIFEST_FILE])
		unless(["ENOENT"], () => renameSync(join(pending, file), join(dataDir, file)));
	// Never recursive: the moment it is empty, another process may have put its own build there.
	unless(["ENOENT", ...OCCUPIED], () => rmdirSync(pending));
}

/** A folder to build in, beside the final place, so that its files move there by a rename. Removes what killed builds left. */
export function startBuild(dataDir: string): string {
	mkdirSync(dataDir, { recursive: true });
	for (const name of readdirSync(dataDir)) {
		const [, pid] = BUILDING.exec(name) ?? [];
		if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dataDir, name), { recursive: true, force: true });
	}
	return mkdtempSync(join(dataDir, `.building-${process.pid}-`));
}

/** Writes and waits for the disk: a power cut after the rename must not leave an empty file under a final name. */
export function writeSynced(path: string, content: Uint8Array | string): void {
	writeFileSync(path, content);
	const descriptor = openSync(path, "r+");
	fsyncSync(descriptor);
	closeSync(descriptor);
}

/** Puts a complete build in place, manifest last. */
export function commitBuild(dataDir: string, building: string): void {
	const pending = join(dataDir, PENDING);
	for (let attempt = 1; ; attempt++) {
		rollForward(dataDir);
		try {
			renameSync(building, pending);
			break;
		} catch (error) {
			// Another process put its own build there in between: help it finish, then try again.
			if (attempt >= ATTEMPTS || !(hasCode(error) && OCCUPIED.includes(error.code))) throw error;
		}
	}
	rollForward(dataDir);
}

import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { CodedError, hasCode } from "../../base/index.js";
import { type BoxState, boxStateSchema } from "./schema.js";

/** `~/.batching-workbook/box/<name>/state.json`. */
export function defaultStatePath(name: string): string {
	return join(homedir(), ".batching-workbook", "box", name, "state.json");
}

/**
 * Refuses a place inside a git tree: beside the state lies the private key, and what lies in a tree gets committed.
 *
 * @throws {CodedError} `STATE_IN_GIT`
 */
export function checkOutsideGit(path: string): void {
	// where it really lies: a link may lead into a tree
	let there = dirname(resolve(path));
	let below = "";
	while (!existsSync(there) && dirname(there) !== there) {
		below = join(basename(there), below);
		there = dirname(there);
	}
	for (let folder = join(realpathSync(there), below); ; folder = dirname(folder)) {
		if (existsSync(join(folder, ".git"))) {
			throw new CodedError("STATE_IN_GIT", `the state file ${path} would lie in the git tree ${folder}`, {
				hint: "the box's private key lies beside it: give --state a place outside any git tree",
			});
		}
		if (dirname(folder) === folder) return;
	}
}

/**
 * @returns the state, or undefined where there is none yet
 * @throws {CodedError} `STATE_UNREADABLE` for a file that is not a box's state
 */
export function readState(path: string): BoxState | undefined {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (cause) {
		if (hasCode(cause) && cause.code === "ENOENT") return undefined;
		throw new CodedError("STATE_UNREADABLE", `the state file ${path} cannot be read (${String(cause)})`, { cause });
	}
	try {
		return boxStateSchema.parse(JSON.parse(text));
	} catch (cause) {
		throw new CodedError("STATE_UNREADABLE", `${path} is not the state of a box`, {
			cause,
			hint: "give --state another file; `npx workbook box check` finds a rented machine by its tags, without this file",
		});
	}
}

/** Writes the state so that a reader, or a crash, sees the old one or the new one and never half of it. Mode 0600. */
export function writeState(path: string, state: BoxState): void {
	const fresh = `${path}.${process.pid}.tmp`;
	writeFileSync(fresh, `${JSON.stringify(boxStateSchema.parse(state), null, 2)}\n`, { mode: 0o600, flush: true });
	renameSync(fresh, path);
}

/** Makes the folder of a state file, readable for its owner only. */
export function makeStateFolder(path: string): string {
	const folder = dirname(resolve(path));
	if (!existsSync(folder)) {
		mkdirSync(folder, { recursive: true });
		chmodSync(folder, 0o700);
	}
	return folder;
}

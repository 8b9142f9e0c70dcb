import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { CodedError, hasCode } from "../../base/index.js";

/** Held while a step works on a state. */
export interface StateLock {
	release(): void;
}

/**
 * Takes the lock of a state file. It is SQLite's own lock on an empty database, which the system frees however its owner
 * ends: a step that was killed leaves nothing to clean up. The owner's pid stands beside it, for the message.
 *
 * @throws {CodedError} `BOX_BUSY` while another step has it
 */
export function lockState(path: string, step: string): StateLock {
	const lockPath = `${path}.lock`;
	let database: Database.Database | undefined;
	try {
		database = new Database(lockPath, { timeout: 0 });
		database.exec("BEGIN EXCLUSIVE");
	} catch (cause) {
		database?.close();
		if (!hasCode(cause) || !cause.code.startsWith("SQLITE_BUSY")) {
			throw new CodedError("LOCK_FAILED", `the lock ${lockPath} cannot be taken (${String(cause)})`, { cause });
		}
		throw new CodedError("BOX_BUSY", `another step is at work on this box: ${owner(lockPath)}`, {
			cause,
			exitCode: 1,
			hint: "wait for it to end, or stop it; `npx workbook box status` looks without touching anything",
		});
	}
	writeFileSync(`${lockPath}.owner`, `${step}, pid ${process.pid}, since ${new Date().toISOString()}\n`);
	const held = database;
	return { release: () => void held.close() };
}

function owner(lockPath: string): string {
	try {
		return readFileSync(`${lockPath}.owner`, "utf8").trim();
	} catch {
		return "an unknown process";
	}
}

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { CodedError, hasCode } from "../../base/index.js";

/** Held while anything is timed: two laboratories on one machine would measure each other. */
export interface Lock {
	release(): void;
}

/** Where the lock of this machine lies. `BATCHING_LAB_LOCK` names another place. */
export function lockPath(): string {
	return process.env.BATCHING_LAB_LOCK || join(tmpdir(), "batching-lab.lock");
}

function owner(path: string): string {
	try {
		return readFileSync(`${path}.owner`, "utf8").trim();
	} catch {
		return "an unknown process";
	}
}

/**
 * Takes the machine's lock. It is SQLite's own lock on an empty database, so the system frees it the moment its owner
 * dies, however it dies: there is no stale lock and no guess about a pid that somebody else has by now. The owner's pid
 * and purpose stand beside it, for the message.
 *
 * @throws {CodedError} `LAB_BUSY`
 */
export function takeLock(purpose: string, path: string = lockPath()): Lock {
	let database: Database.Database | undefined;
	try {
		database = new Database(path, { timeout: 0 });
		database.exec("BEGIN EXCLUSIVE");
	} catch (cause) {
		database?.close();
		const busy = hasCode(cause) && cause.code.startsWith("SQLITE_BUSY");
		const message = busy
			? `another laboratory is measuring on this machine: ${owner(path)}`
			: `the laboratory's lock ${path} cannot be taken (${String(cause)})`;
		throw new CodedError(busy ? "LAB_BUSY" : "LOCK_FAILED", message, {
			cause,
			exitCode: 1,
			hint: busy ? "wait for it, or stop it" : "BATCHING_LAB_LOCK names another place for it",
		});
	}
	const held = database;
	for (const [file, text] of [
		[path, undefined],
		[`${path}.owner`, `pid ${process.pid}, ${purpose}, since ${new Date().toISOString()}`],
	] as const) {
		try {
			if (text !== undefined) writeFileSync(file, text);
			chmodSync(file, 0o666); // another user's laboratory must be able to ask
		} catch {
			// somebody else's file: the lock holds all the same
		}
	}
	return { release: () => void held.close() };
}

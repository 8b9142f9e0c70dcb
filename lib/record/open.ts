import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { RecordError, readError, writeError } from "./errors.js";
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from "./schema.js";

/** What this module uses of better-sqlite3; named here so that the emitted types need nothing else. */
export interface Connection {
	readonly readonly: boolean;
	readonly open: boolean;
	prepare(sql: string): Statement;
	transaction<T>(action: () => T): { immediate(): T };
	pragma(source: string, options?: { simple?: boolean }): unknown;
	close(): unknown;
}

export interface Statement {
	/** True for a statement that only reads. */
	readonly readonly: boolean;
	all(...parameters: readonly unknown[]): unknown[];
	run(...parameters: readonly unknown[]): { readonly lastInsertRowid: number | bigint };
}

function number(database: Connection, pragma: string): number {
	return Number(database.pragma(pragma, { simple: true }));
}

function check(database: Connection, path: string): void {
	const application = number(database, "application_id");
	if (application !== APPLICATION_ID) {
		throw new RecordError("NOT_A_RECORD", `${path} is an SQLite file, but not a record of the laboratory`, {
			hint: "a record is the lab.sqlite in a folder under outputs/",
		});
	}
	const version = number(database, "user_version");
	if (version !== SCHEMA_VERSION) {
		const message = `${path} has record version ${version}; this code reads version ${SCHEMA_VERSION}`;
		throw new RecordError("RECORD_VERSION", message, {
			hint: version > SCHEMA_VERSION ? "read it with a newer workbook" : "read it with the workbook that wrote it",
		});
	}
}

/**
 * Reads a whole record into memory. A file in WAL mode, left so by a killed lab, needs two files beside it that cannot
 * be made in a folder nobody may write; in memory it needs none. Bytes 18 and 19 of the header say 2 for WAL, 1 for not.
 */
function openInMemory(path: string): Connection {
	const bytes = readFileSync(path);
	bytes.fill(1, 18, 20);
	return new Database(bytes, { readonly: true });
}

function connect(path: string, readonly: boolean): Connection {
	const database = new Database(path, { readonly, fileMustExist: true, timeout: 2000 });
	if (!readonly || existsSync(`${path}-wal`)) return database;
	try {
		database.pragma("application_id");
	} catch (error) {
		const code = error instanceof Error && "code" in error ? String(error.code) : "";
		if (code === "SQLITE_CANTOPEN" || code.startsWith("SQLITE_READONLY")) {
			database.close();
			return openInMemory(path);
		}
	}
	return database;
}

/** Opens an existing record. Readers see what is committed while another process writes. */
export function openDatabase(path: string, readonly: boolean): Connection {
	if (!existsSync(path) || !statSync(path).isFile()) {
		throw new RecordError("RECORD_MISSING", `there is no record at ${path}`, {
			hint: "workbook sweep, or any notebook, makes one",
		});
	}
	let database: Connection | undefined;
	try {
		database = connect(path, readonly);
		check(database, path);
		if (!readonly) prepareForWriting(database, path);
		return database;
	} catch (error) {
		database?.close();
		throw readError(error, path);
	}
}

function prepareForWriting(database: Connection, path: string): void {
	try {
		database.pragma("journal_mode = WAL");
		// FULL: a commit is on the disk when it returns, so a finished run survives even a power cut.
		database.pragma("synchronous = FULL");
		database.pragma("foreign_keys = ON");
	} catch (error) {
		throw writeError(error, path);
	}
}

/**
 * Makes a record, and its folder. It appears whole or not at all: it is built beside its place, with whatever `fill`
 * writes, and renamed.
 */
export function createDatabase(path: string, fill: (database: Connection) => void): Connection {
	if (existsSync(path)) {
		throw new RecordError("RECORD_EXISTS", `${path} is there already; a record is never overwritten`);
	}
	mkdirSync(dirname(path), { recursive: true });
	const building = `${path}.${process.pid}.new`;
	rmSync(building, { force: true });
	const database = new Database(building);
	try {
		database.pragma(`application_id = ${APPLICATION_ID}`);
		database.pragma(`user_version = ${SCHEMA_VERSION}`);
		database.exec(SCHEMA);
		fill(database);
	} catch (error) {
		throw writeError(error, path);
	} finally {
		database.close();
	}
	renameSync(building, path);
	return openDatabase(path, false);
}

/**
 * Back to the plain journal when the last writer leaves: a closed record is one file, which can be copied,
 * hashed and read from a folder that cannot be written. While somebody reads it stays in WAL mode, with an empty log.
 */
export function closeDatabase(database: Connection, readonly: boolean): void {
	if (!database.open) return;
	if (!readonly) {
		for (const pragma of ["wal_checkpoint(TRUNCATE)", "journal_mode = DELETE"]) {
			try {
				database.pragma(pragma);
			} catch {
				// a reader holds it, or the disk is full; file and log together are complete either way
			}
		}
	}
	database.close();
}

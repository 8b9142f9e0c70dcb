/**
 * A record file that cannot be read or written. The codes:
 * `RECORD_MISSING` (no such file), `NOT_A_RECORD` (another kind of file), `RECORD_VERSION` (written by another version),
 * `RECORD_EXISTS` (would overwrite), `DISK_FULL` (the runs so far are safe), `RECORD_BUSY` (another process writes it),
 * `RECORD_CORRUPT` (the file is cut off or damaged, or a column does not decode), `RECORD_FORBIDDEN` (this user may not
 * read or write it), `UNKNOWN_RUN`, `RUN_NOT_OPEN`.
 */
export class RecordError extends Error {
	override readonly name: string = "RecordError";
	readonly code: string;
	readonly hint: string | undefined;
	readonly exitCode: 1 | 2;

	constructor(code: string, message: string, options: ErrorOptions & { hint?: string; exitCode?: 1 | 2 } = {}) {
		super(message, options);
		this.code = code;
		this.hint = options.hint;
		this.exitCode = options.exitCode ?? 2;
	}
}

/** SQLite's and the system's ways of saying that there is no room left. */
const FULL = new Set(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_TRUNCATE", "ENOSPC", "EFBIG", "EDQUOT"]);

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Turns what SQLite throws, whatever it was doing, into a {@link RecordError} where a person can act on it. */
export function readError(cause: unknown, path: string): unknown {
	const code = codeOf(cause);
	if (code === "SQLITE_NOTADB") return new RecordError("NOT_A_RECORD", `${path} is no SQLite file`, { cause });
	if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) {
		return new RecordError("RECORD_BUSY", `another process is writing ${path}`, { cause, exitCode: 1 });
	}
	if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_IOERR_SHORT_READ") {
		return new RecordError("RECORD_CORRUPT", `${path} is cut off or damaged`, {
			cause,
			exitCode: 1,
			hint: "restore it from a copy, or begin a new run in another folder",
		});
	}
	if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN")) {
		const what = code.startsWith("SQLITE_READONLY") ? "write" : "open";
		return new RecordError("RECORD_FORBIDDEN", `this user may not ${what} ${path}`, { cause, exitCode: 1 });
	}
	return cause;
}

/** The same for what goes wrong while writing. */
export function writeError(cause: unknown, path: string): unknown {
	if (!FULL.has(codeOf(cause))) return readError(cause, path);
	return new RecordError("DISK_FULL", `no room left to write ${path}; every run finished before this one is safe`, {
		cause,
		exitCode: 1,
		hint: "make room, then go on with --resume",
	});
}

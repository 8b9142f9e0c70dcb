/**
 * A record file that cannot be read or written. The codes:
 * `RECORD_MISSING` (no such file), `NOT_A_RECORD` (another kind of file), `RECORD_VERSION` (written by another version),
 * `RECORD_EXISTS` (would overwrite), `DISK_FULL` (the runs so far are safe), `RECORD_BUSY` (another process writes it),
 * `RECORD_CORRUPT` (a column does not decode), `UNKNOWN_RUN`, `RUN_NOT_OPEN`.
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

/** Turns what SQLite throws while writing into a {@link RecordError} where a person can act on it. */
export function writeError(error: unknown, path: string): unknown {
	if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
	if (FULL.has(error.code)) {
		return new RecordError("DISK_FULL", `no room left to write ${path}; every run finished before this one is safe`, {
			cause: error,
			exitCode: 1,
			hint: "make room, then go on with --resume",
		});
	}
	if (error.code.startsWith("SQLITE_BUSY")) {
		return new RecordError("RECORD_BUSY", `another process is writing ${path}`, { cause: error, exitCode: 1 });
	}
	return error;
}

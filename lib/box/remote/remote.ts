/** A fixed program for the box's shell. What differs from box to box comes to it as parameters, never as text in it. */
export interface RemoteScript {
	readonly name: string;
	readonly text: string;
}

/** The first thing that every script says, on standard error: until then nothing but a time limit ends a way that is open and carries nothing. */
export const LOGGED_IN = "BOX-LOGGED-IN";

export interface RunOptions {
	/** What the script reads after its parameters. */
	readonly payload?: string | Uint8Array;
	/** Called with each line of output, as it comes. */
	readonly onLine?: (line: string) => void;
}

/** The ways to reach a box. Every method rejects with a CodedError, and may be called again after one. */
export interface Remote {
	/**
	 * @returns the script's standard output
	 * @throws {CodedError} `CONNECTION_LOST`, `SSH_DENIED`, `HOST_KEY_CHANGED`, `DISK_FULL`, or the code that the script itself gave
	 */
	run(script: RemoteScript, parameters: readonly string[], options?: RunOptions): Promise<string>;
	/** Copies `files` (relative to the folder `from`) below the box's folder `to`. */
	push(from: string, to: string, files: readonly string[]): Promise<void>;
	/** Copies everything below the box's folder `from` into the folder `to`; goes on where a cut copy stopped. */
	pull(from: string, to: string): Promise<void>;
	/** The host keys that the machine shows now, each `type base64`. Empty when it does not answer. */
	hostKeys(): Promise<readonly string[]>;
	/** Writes what a log-in needs; `keys` are the only host keys that will be accepted. */
	pin(keys: readonly string[]): void;
}

/** The box's own folder of this workbook, relative to the home there. */
export function remoteFolder(boxName: string, inside: string): string {
	return `batching-box/${boxName}/${inside}`;
}

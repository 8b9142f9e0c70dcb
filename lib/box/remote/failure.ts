import { CodedError } from "../../base/index.js";
import { plain } from "../parse.js";
import type { Finished } from "../process.js";
import { LOGGED_IN } from "./remote.js";

const NO_SPACE = /No space left on device|Disk quota exceeded|ENOSPC/;
const LOST =
	/Connection (?:refused|reset|closed|timed out)|closed by remote host|Broken pipe|No route to host|Network is unreachable|Operation timed out|not responding|kex_exchange_identification|unexpectedly closed|connection unexpectedly|timeout in data|Could not resolve hostname/i;
/** rsync's code for a file that could not be written or read; then its codes for a broken way: socket I/O, protocol stream, time-outs; 255 is ssh's. */
const RSYNC_FILE = 11;
const RSYNC_LOST = new Set([10, 12, 30, 35, 255]);

function lastLines(text: string, count = 4): string {
	const lines = plain(text)
		.split("\n")
		.filter((line) => line.trim() !== "" && line !== LOGGED_IN);
	return lines.slice(-count).join(" | ");
}

function sshFault(stderr: string): CodedError | undefined {
	if (/HOST IDENTIFICATION HAS CHANGED|Host key verification failed/.test(stderr)) {
		return new CodedError("HOST_KEY_CHANGED", "the machine shows another host key than the one that was pinned", {
			exitCode: 1,
			hint: "another machine may be answering at this address: do not log in before you know why",
		});
	}
	if (/Permission denied \(|Too many authentication failures/.test(stderr)) {
		return new CodedError("SSH_DENIED", `the machine does not let this key in (${lastLines(stderr, 1)})`, {
			exitCode: 1,
			hint: "check the user in --host and the key in --identity; a key with a passphrase needs an ssh agent",
		});
	}
	return undefined;
}

function full(): CodedError {
	return new CodedError("DISK_FULL", "the disk is full, on the box or here", {
		exitCode: 1,
		hint: "free some space (`df -h` there and here says where); nothing was marked as done",
	});
}

/** A way that opened and then carried nothing, or carried nothing from the beginning. */
export function silent(seconds: number): CodedError {
	return new CodedError("CONNECTION_LOST", `the machine said nothing for ${seconds} s`, {
		exitCode: 1,
		hint: "a started run goes on without it",
	});
}

function lost(stderr: string): CodedError {
	const why = lastLines(stderr, 1);
	return new CodedError("CONNECTION_LOST", `the connection to the box was lost${why === "" ? "" : ` (${why})`}`, {
		exitCode: 1,
		hint: "a started run goes on without it",
	});
}

/** What a script that ended with `finished` has to say, as an error; undefined when it did its work. */
export function scriptFailure(name: string, finished: Finished): CodedError | undefined {
	if (finished.code === 0) return undefined;
	if (NO_SPACE.test(finished.stderr)) return full();
	const said = /^BOX-ERROR ([A-Z_]+) (.*)$/m.exec(finished.stderr);
	if (said !== null) return new CodedError(said[1] ?? "BOX_FAILED", plain(said[2] ?? ""), { exitCode: 1 });
	const fault = sshFault(finished.stderr);
	if (fault !== undefined) return fault;
	if (finished.code === 255) return lost(finished.stderr);
	return new CodedError("BOX_FAILED", `"${name}" failed on the box (${finished.code}): ${lastLines(finished.stderr)}`, {
		exitCode: 1,
	});
}

/** The same for a copy. */
export function copyFailure(finished: Finished): CodedError | undefined {
	if (finished.code === 0) return undefined;
	// rsync's word for a file that could not be written; the other side's own words do not always come over
	if (NO_SPACE.test(finished.stderr) || finished.code === RSYNC_FILE) return full();
	const fault = sshFault(finished.stderr);
	if (fault !== undefined) return fault;
	if (RSYNC_LOST.has(finished.code) || LOST.test(finished.stderr)) return lost(finished.stderr);
	return new CodedError("COPY_FAILED", `rsync failed (${finished.code}): ${lastLines(finished.stderr)}`, {
		exitCode: 1,
	});
}

import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CodedError, hasCode } from "../base/index.js";

/** A file that is written beside its final place and takes it only when it is complete. */
export interface PartialFile {
	/** Write here. */
	readonly path: string;
	/** Makes what was written the final file, in one step: a reader sees the old one or the new one, whole. */
	readonly commit: () => void;
	/** Removes what was written; the final file is as it was. Does nothing after `commit`. */
	readonly discard: () => void;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return !(hasCode(error) && error.code === "ESRCH");
	}
}

/** What a killed process left behind is removed by the next one. */
function sweep(target: string): void {
	for (const name of readdirSync(dirname(target))) {
		const [, owner, pid] = /^(.+)\.(\d+)\.partial$/.exec(name) ?? [];
		if (owner === basename(target) && !isRunning(Number(pid))) rmSync(join(dirname(target), name), { force: true });
	}
}

export function partialFile(target: string): PartialFile {
	sweep(target);
	const path = `${target}.${process.pid}.partial`;
	rmSync(path, { force: true });
	return {
		path,
		commit() {
			const descriptor = openSync(path, "r+");
			fsyncSync(descriptor);
			closeSync(descriptor);
			try {
				renameSync(path, target);
			} catch (error) {
				// Windows does not replace a file that a process holds open.
				throw new CodedError("FILE_IN_USE", `${target} cannot be replaced: ${error}`, {
					hint: "stop the service or notebook that has it open, then try again",
					cause: error,
				});
			}
		},
		discard: () => rmSync(path, { force: true }),
	};
}

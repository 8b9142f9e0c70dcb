import {
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { CodedError } from "../../base/index.js";
import { openRecord } from "../../record/index.js";

/** The record's name in a run's folder. */
export const RECORD_FILE = "lab.sqlite";

/** `2026-10-04-154501-quick`: sorts by date. Local time, since a person looks for it. */
export function runName(profile: string, at: Date = new Date()): string {
	const two = (value: number) => String(value).padStart(2, "0");
	const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
	return `${date}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}-${profile}`;
}

/** Makes a new folder for a run below `outputsDir`; its name is never one that is there. */
export function makeRunFolder(outputsDir: string, profile: string): string {
	mkdirSync(outputsDir, { recursive: true });
	const name = runName(profile);
	for (let copy = 1; ; copy++) {
		const folder = join(outputsDir, copy === 1 ? name : `${name}-${copy}`);
		if (existsSync(folder)) continue;
		mkdirSync(folder);
		return folder;
	}
}

/**
 * Points `outputs/latest` to `folder`: a link, or where links are not allowed a text file with the folder's name.
 * A folder of that name is somebody's own and is left alone.
 */
export function pointLatest(outputsDir: string, folder: string): void {
	const latest = join(outputsDir, "latest");
	const target = relative(outputsDir, folder);
	if (existsSync(latest) && lstatSync(latest).isDirectory()) {
		throw new CodedError("LATEST_IS_A_FOLDER", `${latest} is a folder; it should be a link to the current run`, {
			hint: "rename it",
		});
	}
	const fresh = `${latest}.${process.pid}`;
	rmSync(fresh, { force: true });
	try {
		symlinkSync(target, fresh, "dir");
	} catch {
		writeFileSync(fresh, `${target}\n`);
	}
	renameSync(fresh, latest);
}

/** The folder that `outputs/latest` points to; null when there is none, or it is gone. */
export function latestRun(outputsDir: string): string | null {
	const latest = join(outputsDir, "latest");
	let target: string;
	try {
		target = lstatSync(latest).isSymbolicLink() ? readlinkSync(latest) : readFileSync(latest, "utf8").trim();
	} catch {
		return null;
	}
	const folder = resolve(outputsDir, target);
	return target !== "" && existsSync(folder) ? folder : null;
}

/** Lets SQLite fold a log that a killed lab left into its record, so that one file has to move and not three. */
function foldLog(path: string): void {
	try {
		openRecord(path, { readonly: false }).close();
	} catch {
		// another version, or damaged: file and log move one after the other
	}
}

/** Gives the record in `folder` another name, so that a new one can begin. Nothing is deleted. */
export function setAside(folder: string): string {
	foldLog(join(folder, RECORD_FILE));
	const stamp = runName("x").slice(0, -2);
	for (let copy = 1; ; copy++) {
		const aside = join(folder, `lab.before-${stamp}${copy === 1 ? "" : `-${copy}`}.sqlite`);
		if (existsSync(aside)) continue;
		renameSync(join(folder, RECORD_FILE), aside);
		// a log beside a record belongs to it: without it, what a killed lab wrote last would be lost
		for (const ending of ["-wal", "-shm"]) {
			const log = join(folder, `${RECORD_FILE}${ending}`);
			if (existsSync(log)) renameSync(log, `${aside}${ending}`);
		}
		return basename(aside);
	}
}

import { createHash } from "node:crypto";
import { createReadStream, existsSync, lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { CodedError } from "../base/index.js";
import { runProgram } from "./process.js";

export interface ProjectFiles {
	/** Relative, with `/`, sorted. */
	readonly files: readonly string[];
	/** Commit of the working tree; `none` outside git. */
	readonly commit: string;
	/** Tracked files that differ from the commit: they go as they are. */
	readonly changed: number;
	/** Files that git does not know and that therefore stay here. */
	readonly untracked: readonly string[];
}

async function git(root: string, ...args: readonly string[]): Promise<string> {
	const { code, stdout, stderr } = await runProgram("git", ["-C", root, ...args]);
	if (code !== 0) throw new CodedError("GIT_FAILED", `git ${args[0]} failed in ${root}: ${stderr.trim()}`);
	return stdout;
}

const names = (text: string) => text.split("\0").filter((name) => name !== "");

/** Everything below a folder but what is installed, compiled or measured: for a project that was downloaded, not cloned. */
async function walk(root: string): Promise<string[]> {
	const left = new Set(["node_modules", "dist", ".git"]);
	const entries = await readdir(root, { withFileTypes: true, recursive: true });
	return entries
		.filter((entry) => !entry.isDirectory())
		.map((entry) =>
			join(entry.parentPath, entry.name)
				.slice(root.length + 1)
				.split(sep),
		)
		.filter((path) => !path.some((part) => left.has(part)) && path[0] !== "outputs" && path[0] !== "data")
		.map((path) => path.join("/"));
}

/** The shop and the models that were trained on it; git does not keep them, but what is compared must be scored by them. */
async function dataFiles(root: string): Promise<string[]> {
	if (!existsSync(join(root, "data", "manifest.json"))) return [];
	const entries = await readdir(join(root, "data"), { withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && !/-(?:wal|shm|journal)$|\.(?:tmp|lock)$/.test(entry.name))
		.map((entry) => `data/${entry.name}`);
}

/** What goes to the box: what `git ls-files` lists, as it lies in the working tree, and on request the data. */
export async function projectFiles(root: string, withData: boolean): Promise<ProjectFiles> {
	const inGit = existsSync(join(root, ".git"));
	const listed = inGit ? names(await git(root, "ls-files", "-z")) : await walk(root);
	const data = withData ? await dataFiles(root) : [];
	const there = listed.filter((file) => {
		const found = lstatSync(join(root, file), { throwIfNoEntry: false });
		return found !== undefined && !found.isDirectory();
	});
	return {
		files: [...new Set([...there, ...data])].sort(),
		commit: inGit ? (await git(root, "rev-parse", "HEAD")).trim() : "none",
		changed: inGit ? names(await git(root, "diff", "--name-only", "-z", "HEAD")).length : 0,
		untracked: inGit ? names(await git(root, "ls-files", "-z", "--others", "--exclude-standard")) : [],
	};
}

/** sha256 of a file, in hex. */
export async function sha256File(path: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path), hash);
	return hash.digest("hex");
}

/** One hash for a list of files and their hashes, independent of order. */
export function digestOf(hashes: ReadonlyMap<string, string>): string {
	const lines = [...hashes].map(([path, hash]) => `${hash}  ${path}\n`).sort();
	return createHash("sha256").update(lines.join("")).digest("hex");
}

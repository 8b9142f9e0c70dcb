import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import { CodedError } from "../base/index.js";
import { zeroParts } from "./parse.js";
import { digestOf, sha256File } from "./project-files.js";

export interface ResultFile {
	readonly sha256: string;
	readonly bytes: number;
}
/** Every result by its path below the results' folder. */
export type Manifest = ReadonlyMap<string, ResultFile>;

/** Lies beside results that came home whole. */
export const MANIFEST_FILE = "fetched.json";

const stored = z.object({
	files: z.record(z.string(), z.object({ sha256: z.string(), bytes: z.int() })),
});

/**
 * @throws {CodedError} `CONNECTION_LOST` when the list ends before its end, `BAD_MANIFEST` when it names a place outside
 * the results: what it names is compared here, and copied anew where it differs
 */
export function parseManifest(output: string): Manifest {
	const parts = zeroParts(output);
	const end = parts.at(-1);
	if (end !== `END ${parts.length - 1}`) {
		throw new CodedError("CONNECTION_LOST", "the list of results came only in part", { exitCode: 1 });
	}
	return new Map(
		parts.slice(0, -1).map((part) => {
			const [sha256 = "", bytes = ""] = part.split(" ", 2);
			const path = part.slice(sha256.length + bytes.length + 2);
			if (path.split("/").some((step) => step === "" || step === "." || step === "..")) {
				throw new CodedError("BAD_MANIFEST", `the box lists a result outside its results: ${JSON.stringify(path)}`, {
					exitCode: 1,
					hint: "nothing was copied: look at that machine before you trust it",
				});
			}
			return [path, { sha256, bytes: Number(bytes) }];
		}),
	);
}

/** Deletes files of a folder, and nothing that a link in it leads to elsewhere. */
export function removeWithin(folder: string, paths: readonly string[]): void {
	const root = realpathSync(folder);
	for (const path of paths) {
		const file = join(root, path);
		const parent = existsSync(dirname(file)) ? realpathSync(dirname(file)) : dirname(file);
		if (!relative(root, parent).split(sep).includes("..")) rmSync(file, { force: true });
	}
}

export function manifestDigest(manifest: Manifest): string {
	return digestOf(new Map([...manifest].map(([path, { sha256 }]) => [path, sha256])));
}

/** The files of `manifest` that are not in `folder` as they should be. */
export async function differences(folder: string, manifest: Manifest): Promise<readonly string[]> {
	const wrong: string[] = [];
	for (const [path, { sha256, bytes }] of manifest) {
		const file = join(folder, path);
		const found = await stat(file).catch(() => undefined);
		if (found === undefined || found.size !== bytes || (await sha256File(file)) !== sha256) wrong.push(path);
	}
	return wrong;
}

export function writeManifest(folder: string, manifest: Manifest): void {
	const file = join(folder, MANIFEST_FILE);
	writeFileSync(`${file}.tmp`, `${JSON.stringify({ files: Object.fromEntries(manifest) }, null, 2)}\n`, {
		flush: true,
	});
	renameSync(`${file}.tmp`, file);
}

/** Undefined where there is none, or it is not one. */
export function readManifest(folder: string): Manifest | undefined {
	const file = join(folder, MANIFEST_FILE);
	if (!existsSync(file)) return undefined;
	try {
		return new Map(Object.entries(stored.parse(JSON.parse(readFileSync(file, "utf8"))).files));
	} catch {
		return undefined;
	}
}

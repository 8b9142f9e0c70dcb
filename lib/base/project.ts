import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folders of a workbook project, absolute. Nothing is created. */
export interface Project {
	readonly root: string;
	/** Store, request list, models, manifest. */
	readonly dataDir: string;
	/** One folder a run, and `latest`. */
	readonly outputsDir: string;
	readonly notebooksDir: string;
}

function isProjectRoot(directory: string): boolean {
	const file = join(directory, "package.json");
	if (!existsSync(file)) return false;
	try {
		const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
		return typeof parsed === "object" && parsed !== null && "name" in parsed && parsed.name === "batching-workbook";
	} catch {
		return false;
	}
}

/**
 * Finds the workbook project around `from`, walking up; outside one, `from` itself is the root, so a lesson
 * author can use the library in a folder of their own. `BATCHING_LAB_DATA` and `BATCHING_LAB_OUTPUTS` win over both.
 */
export function findProject(from: string = process.cwd()): Project {
	let root = resolve(from);
	for (let directory = root; ; directory = dirname(directory)) {
		if (isProjectRoot(directory)) {
			root = directory;
			break;
		}
		if (dirname(directory) === directory) break;
	}
	return {
		root,
		dataDir: resolve(process.env.BATCHING_LAB_DATA || join(root, "data")),
		outputsDir: resolve(process.env.BATCHING_LAB_OUTPUTS || join(root, "outputs")),
		notebooksDir: join(root, "notebooks"),
	};
}

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatNotebook, injectParameters, readNotebook } from "batching-lab/notebook";
import { root } from "./support.js";

export const ownFolder = join(root, "notebooks");
/** The workbook's own notebooks, in reading order. */
export const ownNames = readdirSync(ownFolder)
	.filter((name) => name.endsWith(".ipynb"))
	.sort();

/** Copies for a front end that cannot set parameters itself, with profile `smoke`. */
export async function copiesIn(folder: string): Promise<string[]> {
	mkdirSync(folder, { recursive: true });
	for (const name of ownNames) {
		const notebook = await readNotebook(join(ownFolder, name));
		injectParameters(notebook, { profile: "smoke" });
		writeFileSync(join(folder, name), formatNotebook(notebook));
	}
	return ownNames.map((name) => join(folder, name));
}

/**
 * Where a kernel keeps what it measures, made if need be, and that it may measure although another laboratory of the
 * same tests does: what is measured here is not looked at.
 */
export function measuringIn(runDir: string): Record<string, string> {
	mkdirSync(runDir, { recursive: true });
	return { WORKBOOK_RUN_DIR: runDir, WORKBOOK_PROFILE: "smoke", BATCHING_LAB_LOCK: join(runDir, "lock") };
}

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readState } from "./file.js";
import type { BoxState } from "./schema.js";

/** The states in the folders beside a state's own folder; what cannot be read is not one. */
export function otherStates(folder: string): readonly BoxState[] {
	const parent = dirname(folder);
	return readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
		if (!entry.isDirectory() || entry.name === basename(folder)) return [];
		try {
			const state = readState(join(parent, entry.name, "state.json"));
			return state === undefined ? [] : [state];
		} catch {
			return [];
		}
	});
}

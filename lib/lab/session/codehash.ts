import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The rooms whose code takes part in a timed run. A change in any other cannot change what is measured. */
const TIMED_ROOMS = ["base", "batcher", "client", "lab", "model", "record", "service", "shop", "stats"];

function scripts(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(".js"))
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** sha256 over the names and contents of the compiled code of a timed run. `root` holds one folder a room. */
export function codeHash(root: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))))): string {
	const files = TIMED_ROOMS.flatMap((room) => scripts(join(root, room)));
	const hash = createHash("sha256");
	const named = files.map((file) => [relative(root, file).replaceAll("\\", "/"), file] as const);
	for (const [name, file] of named.sort(([one], [other]) => (one < other ? -1 : 1))) {
		hash.update(`${name}\n${createHash("sha256").update(readFileSync(file)).digest("hex")}\n`);
	}
	return hash.digest("hex");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that goes away with the test. */
export function scratch(t: { after(action: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), "lab-"));
	t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	return folder;
}

import { linesOf, outputOf } from "./command.js";

/** Counts the lines of `journalctl --output=json` by who wrote them. Lines that are no JSON count as `unknown`. */
export function countBySource(text: string): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const line of linesOf(text)) {
		const source = sourceOf(line);
		counts[source] = (counts[source] ?? 0) + 1;
	}
	return counts;
}

function sourceOf(line: string): string {
	try {
		const entry: unknown = JSON.parse(line);
		if (typeof entry !== "object" || entry === null) return "unknown";
		if ("SYSLOG_IDENTIFIER" in entry && typeof entry.SYSLOG_IDENTIFIER === "string") return entry.SYSLOG_IDENTIFIER;
		return "_COMM" in entry && typeof entry._COMM === "string" ? entry._COMM : "unknown";
	} catch {
		return "unknown";
	}
}

/** True when this user can read the system's journal. */
export async function journalReadable(): Promise<boolean> {
	if (process.platform !== "linux") return false;
	const text = await outputOf("journalctl", ["--lines=1", "--output=json", "--no-pager", "--quiet"]);
	return text !== null && text !== "";
}

/** Journal lines that arrived between two moments (ms since 1970), by source; null when the journal cannot be read. */
export async function journalBetween(fromMs: number, toMs: number): Promise<Record<string, number> | null> {
	const at = (ms: number) => `@${(ms / 1000).toFixed(6)}`;
	const args = ["--since", at(fromMs), "--until", at(toMs), "--output=json", "--no-pager", "--quiet"];
	const text = await outputOf("journalctl", [...args, "--output-fields=SYSLOG_IDENTIFIER,_COMM"]);
	return text === null ? null : countBySource(text);
}

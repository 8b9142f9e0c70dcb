/** Computed Markdown as plain text: no spans, no marks, tables with their columns in line. */
export function plainText(markdown: string): string {
	const bare = markdown
		.replace(/<br>/g, " ")
		.replace(/<[^>]+>/g, "")
		.replace(/\*\*|`/g, "")
		.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
	const lines = bare.split("\n");
	const out: string[] = [];
	for (let at = 0; at < lines.length; at++) {
		const rows: string[][] = [];
		for (; lines[at]?.startsWith("| "); at++) rows.push(cellsOf(lines[at] ?? ""));
		if (rows.length > 0) out.push(...aligned(rows));
		if (at < lines.length) out.push(lines[at] ?? "");
	}
	return out.join("\n");
}

function cellsOf(line: string): string[] {
	return line.replace(/^\| ?| ?\|$/g, "").split(" | ");
}

const isRule = (row: readonly string[]) => row.every((cell) => /^:?-+:?$/.test(cell));

/** Columns as the table's own rule has them, to the right or to the left; two spaces between, a line under the head. */
function aligned(all: readonly (readonly string[])[]): string[] {
	const rule = all.find(isRule) ?? [];
	const rows = all.filter((row) => !isRule(row));
	const columns = Math.max(...rows.map((row) => row.length));
	const widths = Array.from({ length: columns }, (_, column) =>
		Math.max(...rows.map((row) => (row[column] ?? "").length)),
	);
	const text = rows.map((row) =>
		widths
			.map((width, column) =>
				rule[column]?.endsWith(":") ? (row[column] ?? "").padStart(width) : (row[column] ?? "").padEnd(width),
			)
			.join("  ")
			.trimEnd(),
	);
	return [text[0] ?? "", "-".repeat(Math.max(...text.map((line) => line.length))), ...text.slice(1)];
}

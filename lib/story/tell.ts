import { displayMime } from "../base/index.js";

/** Markdown without its marks, for a reader that shows plain text only. */
function plain(markdown: string): string {
	return markdown.replace(/<[^>]+>/g, "").replace(/\*\*|`/g, "");
}

/** Shows computed Markdown below the running cell. */
export function tell(markdown: string): void {
	displayMime({ "text/markdown": markdown, "text/plain": plain(markdown) });
}

/** Rows as a Markdown table; the first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
	const [head = [], ...body] = rows;
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...body.map(line)].join("\n");
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[]): string {
	if (items.length < 2) return items.join("");
	return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

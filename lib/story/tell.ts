import { displayMime } from "../base/index.js";

export { table } from "../report/index.js";

/** Markdown without its marks, for a reader that shows plain text only. */
function plain(markdown: string): string {
	return markdown
		.replace(/<br>/g, " ")
		.replace(/<[^>]+>/g, "")
		.replace(/\*\*|`/g, "");
}

/** Shows computed Markdown below the running cell. */
export function tell(markdown: string): void {
	displayMime({ "text/markdown": markdown, "text/plain": plain(markdown) });
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[]): string {
	if (items.length < 2) return items.join("");
	return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

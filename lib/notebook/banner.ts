import type { Cell, Notebook, TextCell } from "./format.js";
import type { RunFailure } from "./hooks.js";

const ANCHOR = "workbook-failed-cell";

/** Puts a banner on top of a copy and an anchor in front of the cell that stopped it, so that a reader lands there. */
export function markFailure(notebook: Notebook, failure: RunFailure): void {
	const place = notebook.cells.findIndex((cell) => cell.id === failure.cellId);
	const interrupted = failure.kind === "interrupted";
	const what = interrupted ? "was interrupted" : "stopped";
	const message = `\n\n${fenced(failure.message)}${failure.hint === undefined ? "" : `\n\n${failure.hint}`}`;
	if (place >= 0) {
		const anchor = `<span id="${ANCHOR}"></span>**${interrupted ? "Interrupted here" : "Failed here"}:**`;
		notebook.cells.splice(place, 0, textCell("workbook-failed-anchor", anchor));
	}
	const where = `[code cell ${failure.cellNumber}](#${ANCHOR})`;
	notebook.cells.unshift(textCell("workbook-failed-banner", `# ⚠ This run ${what} at ${where}${message}`));
}

/** As a code block, whatever the text contains. */
function fenced(text: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const fence = "`".repeat(longest + 1);
	return `${fence}text\n${text}\n${fence}`;
}

function textCell(id: string, source: string): TextCell {
	return { cell_type: "markdown", id, metadata: { tags: ["workbook-banner"] }, source };
}

/** What earlier runs of this program put into a copy. */
export function isBannerCell(cell: Cell): boolean {
	return cell.metadata.tags?.includes("workbook-banner") === true;
}

import { basename } from "node:path";
import hljs from "highlight.js/lib/core";
import typescript from "highlight.js/lib/languages/typescript";
import type { Cell, CodeCell, Notebook } from "../format.js";
import { escapeHtml } from "./escape.js";
import { firstHeading, renderMarkdown } from "./markdown.js";
import { renderOutput } from "./output.js";
import { STYLE } from "./style.js";

hljs.registerLanguage("typescript", typescript);

/** Scripts inside an output may run, but nothing on the page may reach the network. */
const POLICY =
	"default-src 'none'; img-src data: blob: file: 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/**
 * A notebook as one page that any browser opens, from disk and without a network. `source` names it in the title.
 * Pictures are preferred to interactive outputs, which need a front end. It comes in pieces, a cell at a time.
 */
export function* notebookPage(notebook: Notebook, source: string): Generator<string> {
	const texts = notebook.cells.filter(
		(cell) => cell.cell_type === "markdown" && !cell.metadata.tags?.includes("workbook-banner"),
	);
	const title = texts.map((cell) => firstHeading(cell.source)).find((heading) => heading !== undefined);
	yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title ?? basename(source, ".ipynb"))}</title>
<style>${STYLE}</style>
</head>
<body>
${header(notebook, source)}
<main>
`;
	for (const cell of notebook.cells) yield `${renderCell(cell)}\n`;
	yield "</main>\n</body>\n</html>\n";
}

function renderCell(cell: Cell): string {
	switch (cell.cell_type) {
		case "markdown":
			return `<section id="cell-${cell.id}">${renderMarkdown(cell.source, cell.attachments)}</section>`;
		case "code":
			return renderCode(cell);
		case "raw":
			return `<section id="cell-${cell.id}"><pre>${escapeHtml(cell.source)}</pre></section>`;
	}
}

function renderCode(cell: CodeCell): string {
	const times = object(cell.metadata.workbook);
	const seconds = typeof times.durationMs === "number" ? ` · ${(times.durationMs / 1_000).toFixed(1)} s` : "";
	const count = cell.execution_count === null ? "" : `<span class="count">[${cell.execution_count}]${seconds}</span>`;
	const code = `<pre><code>${hljs.highlight(cell.source, { language: "typescript" }).value}</code></pre>`;
	const hidden = object(cell.metadata.jupyter).source_hidden === true;
	const shown = hidden ? `<details><summary>Code</summary>${code}</details>` : code;
	const outputs =
		cell.outputs.length === 0 ? "" : `\n<div class="outputs">${cell.outputs.map(renderOutput).join("\n")}</div>`;
	const failed = times.status === "failed" ? " failed" : "";
	return `<section class="code${failed}" id="cell-${cell.id}"><div class="source">${count}${shown}</div>${outputs}</section>`;
}

/** When, where and with which parameters the copy was executed. */
function header({ metadata }: Notebook, source: string): string {
	const run = object(metadata.workbook);
	const seconds = typeof run.durationMs === "number" ? ` in ${(run.durationMs / 1_000).toFixed(1)} s` : "";
	const about = typeof run.status === "string" ? `: ${run.status}${seconds}, started ${String(run.startedAt)}` : "";
	const details = Object.entries({ ...object(run.parameters), ...object(run.facts), ...object(run.environment) })
		.map(
			([name, value]) =>
				`<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(typeof value === "string" ? value : JSON.stringify(value))}</dd>`,
		)
		.join("");
	const more = details === "" ? "" : `<details><summary>Machine and parameters</summary><dl>${details}</dl></details>`;
	return `<header><div>${escapeHtml(basename(source))}${escapeHtml(about)}</div>${more}</header>`;
}

function object(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}

import { AnsiUp } from "ansi_up";
import type { Output } from "../format.js";
import { escapeHtml } from "./escape.js";
import { renderMarkdown } from "./markdown.js";

/** A page has no live front end: pictures come before markup that would like one, and plain text last. */
const PREFERRED = [
	"image/svg+xml",
	"image/png",
	"image/jpeg",
	"image/gif",
	"image/webp",
	"text/html",
	"text/markdown",
	"text/latex",
	"application/json",
	"text/plain",
];

export function renderOutput(output: Output): string {
	switch (output.output_type) {
		case "stream":
			return `<pre class="stream ${output.name}">${ansi(output.text)}</pre>`;
		case "error":
			return `<pre class="stream stderr">${ansi(output.traceback.join("\n") || `${output.ename}: ${output.evalue}`)}</pre>`;
		default:
			return renderBundle(output.data);
	}
}

function renderBundle(data: Readonly<Record<string, unknown>>): string {
	const mime = PREFERRED.find((candidate) => data[candidate] !== undefined);
	if (mime === undefined) {
		const types = Object.keys(data).join(", ");
		return types === ""
			? ""
			: `<p class="unknown">An output of a kind that a page cannot show: ${escapeHtml(types)}</p>`;
	}
	const value = data[mime];
	if (typeof value !== "string" || mime === "application/json") {
		return `<pre class="stream">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
	}
	if (mime.startsWith("image/")) {
		const base64 = mime === "image/svg+xml" ? Buffer.from(value).toString("base64") : value.replace(/\s/g, "");
		const plain = data["text/plain"];
		const alt = typeof plain === "string" ? plain : "output of this cell";
		return `<img class="picture" src="data:${mime};base64,${base64}" alt="${escapeHtml(alt)}">`;
	}
	if (mime === "text/html") return `<div class="markup">${value}</div>`;
	if (mime === "text/markdown") return `<div class="markup">${renderMarkdown(value)}</div>`;
	return `<pre class="stream">${mime === "text/plain" ? ansi(value) : escapeHtml(value)}</pre>`;
}

/** Colours of a terminal become classes, so that the page's own colours apply. A carriage return overwrites its line. */
function ansi(text: string): string {
	if (!text.includes("\x1b") && !text.includes("\r")) return escapeHtml(text); // megabytes are plain as a rule
	const converter = new AnsiUp();
	converter.use_classes = true;
	return converter.ansi_to_html(text.replace(/^.*\r(?!\n)/gm, ""));
}

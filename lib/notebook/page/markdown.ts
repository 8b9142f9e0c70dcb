import MarkdownIt from "markdown-it";
import type { TextCell } from "../format.js";

/** Like Jupyter's own: raw HTML passes, headings can be linked to. */
const markdown = new MarkdownIt({ html: true, linkify: true });

markdown.core.ruler.push("heading_ids", ({ tokens }) => {
	for (const [index, token] of tokens.entries()) {
		if (token.type === "heading_open") token.attrSet("id", headingId(tokens[index + 1]?.content ?? ""));
	}
});

/** Links to a notebook lead to its page, which lies beside it. */
const linkOpen = markdown.renderer.rules.link_open;
markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
	const token = tokens[index];
	const target = token?.attrGet("href");
	if (token !== undefined && typeof target === "string" && !/^[a-z][a-z+.-]*:/i.test(target)) {
		token.attrSet("href", target.replace(/\.ipynb(?=$|[?#])/, ".html"));
	}
	return linkOpen?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
};

export function renderMarkdown(source: string, attachments: TextCell["attachments"] = {}): string {
	return markdown.render(source).replace(/(?<=src=")attachment:([^"]*)/g, (whole, name: string) => {
		const [type, data] = Object.entries(attachments[decodeURIComponent(name)] ?? {})[0] ?? [];
		return typeof data === "string" ? `data:${type};base64,${data.replace(/\s/g, "")}` : whole;
	});
}

/** Jupyter's rule: the heading's text with hyphens for blanks. */
function headingId(text: string): string {
	return text.trim().replace(/[`*_]/g, "").replace(/\s+/g, "-");
}

/** The first heading of a text, for a page's title. */
export function firstHeading(source: string): string | undefined {
	return /^#{1,2}\s+(.+)$/m.exec(source)?.[1]?.replace(/[`*_]/g, "").trim();
}

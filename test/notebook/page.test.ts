import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Cell, type Output, renderPage } from "batching-lab/notebook";
import { JSDOM } from "jsdom";

async function page(...cells: (string | Output[])[]): Promise<Document> {
	const all = cells.map((content, index): Cell => {
		const base = { id: `c${index}`, metadata: {} };
		return typeof content === "string"
			? { ...base, cell_type: "markdown", source: content }
			: { ...base, cell_type: "code", source: "1 < 2 && show();", execution_count: 3, outputs: content };
	});
	const html = await renderPage({ cells: all, metadata: {}, nbformat: 4, nbformat_minor: 5 }, "some/02-bits.ipynb");
	return new JSDOM(html).window.document;
}

describe("the page beside an executed copy", () => {
	it("has a title, headings to link to, and code as it was written", async () => {
		const document = await page("# Bits & pieces\n\n## What *we* see", []);
		assert.equal(document.title, "Bits & pieces");
		assert.ok(document.getElementById("What-we-see"));
		assert.equal(document.querySelector("section.code code")?.textContent, "1 < 2 && show();");
		assert.equal(document.querySelector(".count")?.textContent, "[3]");
	});

	it("leads from notebook to page, and leaves other links alone", async () => {
		const links = (
			await page("[a](01-model-alone.ipynb#Cost) [b](https://example.org/x.ipynb) [c](#here)")
		).querySelectorAll("a");
		assert.deepEqual(
			[...links].map((link) => link.getAttribute("href")),
			["01-model-alone.html#Cost", "https://example.org/x.ipynb", "#here"],
		);
	});

	it("shows a picture before markup that wants a front end", async () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>é</title></svg>';
		const data = { "text/html": "<script>no()</script>", "image/svg+xml": svg, "text/plain": 'a "chart"' };
		const image = (await page([{ output_type: "display_data", data, metadata: {} }])).querySelector("img");
		assert.equal(image?.alt, 'a "chart"');
		const [, base64 = ""] = (image?.src ?? "").split("base64,");
		assert.equal(Buffer.from(base64, "base64").toString(), svg);
	});

	it("escapes text, keeps colours as classes, and lets a carriage return overwrite", async () => {
		const document = await page([
			{ output_type: "stream", name: "stdout", text: "\u001b[31m<b>red</b>\u001b[0m\n10 %\r20 %\n" },
			{ output_type: "error", ename: "E", evalue: "v", traceback: ["<i>trace</i>"] },
		]);
		const [stream, error] = document.querySelectorAll("pre.stream");
		assert.equal(stream?.textContent, "<b>red</b>\n20 %\n");
		assert.equal(stream?.querySelector(".ansi-red-fg")?.textContent, "<b>red</b>");
		assert.equal(error?.textContent, "<i>trace</i>");
	});

	it("shows attached pictures, Markdown, JSON, and says what it cannot show", async () => {
		const rich = (data: Record<string, unknown>): Output => ({ output_type: "display_data", data, metadata: {} });
		const document = await page([
			rich({ "text/markdown": "**42**" }),
			rich({ "application/json": { a: 1 } }),
			rich({ "x/y": "?" }),
		]);
		const outputs = document.querySelector(".outputs");
		assert.equal(outputs?.querySelector("strong")?.textContent, "42");
		assert.match(outputs?.textContent ?? "", /"a": 1[\s\S]*a page cannot show: x\/y/);
	});

	it("reaches no network: nothing is loaded, and the policy forbids it", async () => {
		const document = await page("![remote](https://example.org/x.png)", []);
		const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute("content") ?? "";
		assert.match(policy, /default-src 'none'/);
		assert.doesNotMatch(policy, /https?:/);
		assert.equal(document.querySelectorAll("link, script, iframe").length, 0);
	});
});

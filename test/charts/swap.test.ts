import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { coinFlips, DARK, figureBundle, PALETTE, stopDrawing } from "batching-lab/charts";
import { JSDOM } from "jsdom";

let html = "";
before(async () => {
	html = String((await figureBundle(coinFlips(3)))["text/html"]);
});
after(stopDrawing);

interface Drawn {
	readonly data: readonly { readonly marker: { readonly color: readonly string[] } }[];
}

/** The output as a page shows it, with a Plotly that only notes what it is asked to draw, or without one. */
async function show({ plotly, theme = "", scripts = true }: { plotly: boolean; theme?: string; scripts?: boolean }) {
	const drawn: Drawn[] = [];
	const { window } = new JSDOM(`<body ${theme}>${html}</body>`, {
		url: "http://127.0.0.1/lab/tree/notebooks/05.ipynb",
		...(scripts ? { runScripts: "dangerously" } : {}),
		beforeParse(page) {
			Object.assign(page, { matchMedia: () => ({ matches: false }) });
			if (plotly) {
				const newPlot = async (_: unknown, data: Drawn["data"]) => void drawn.push({ data });
				Object.assign(page, { Plotly: { newPlot } });
			}
		},
	});
	await sleep(20);
	// Without resource loading jsdom never answers a script's request; the page's own error event stands for the refusal.
	for (const script of window.document.querySelectorAll("head script")) script.dispatchEvent(new window.Event("error"));
	await sleep(20);
	for (const script of window.document.querySelectorAll("head script")) script.dispatchEvent(new window.Event("error"));
	await sleep(20);
	return { document: window.document, drawn };
}

test("with Plotly on the page the chart takes the picture's place", async () => {
	const { document, drawn } = await show({ plotly: true });
	assert.equal(drawn.length, 1);
	assert.equal(document.querySelector("img"), null);
	assert.equal(document.querySelector("small"), null);
	assert.equal(drawn[0]?.data[0]?.marker.color[0], PALETTE.orange);
});

test("in a dark Jupyter the chart is drawn in the dark room's colours", async () => {
	const { drawn } = await show({ plotly: true, theme: 'data-jp-theme-light="false"' });
	assert.equal(drawn[0]?.data[0]?.marker.color[0], DARK[PALETTE.orange]);
});

test("where Plotly cannot be loaded the picture stays, with one line why", async () => {
	const { document, drawn } = await show({ plotly: false });
	assert.equal(drawn.length, 0);
	assert.ok(document.querySelector("img")?.getAttribute("src")?.startsWith("data:image/svg+xml,"));
	assert.match(document.querySelector("small")?.textContent ?? "", /could not be loaded from 127\.0\.0\.1/);
});

test("where scripts are not run at all the picture and its line stand there", async () => {
	const { document } = await show({ plotly: false, scripts: false });
	assert.match(document.querySelector("img")?.getAttribute("alt") ?? "", /^Bars/);
	assert.match(document.querySelector("small")?.textContent ?? "", /^A picture/);
});

test("Plotly is looked for under Jupyter's own files, from the root and from above notebooks/", async () => {
	const { document } = await show({ plotly: false });
	const asked = [...document.querySelectorAll("head script")].map((script) => script.getAttribute("src"));
	assert.ok(asked.includes("/files/node_modules/plotly.js-dist/plotly.js"), String(asked));
});

test("a picture's address survives a browser's parser: the SVG comes out as it went in", async () => {
	const { document } = await show({ plotly: false, scripts: false });
	const address = document.querySelector("img")?.getAttribute("src") ?? "";
	const svg = decodeURIComponent(address.replace("data:image/svg+xml,", ""));
	const parsed = new JSDOM(svg, { contentType: "image/svg+xml" }).window.document;
	assert.equal(parsed.documentElement.tagName, "svg");
	assert.ok(parsed.querySelectorAll("text").length > 5);
});

test("nothing in a figure can end the script it travels in", async () => {
	const bundle = await figureBundle(coinFlips(2, { title: "</script><!-- & \" '" }));
	const page = new JSDOM(String(bundle["text/html"]), { url: "http://127.0.0.1/" }).window.document;
	assert.equal(page.querySelectorAll("script").length, 1);
	assert.match(page.querySelector("script")?.textContent ?? "", /\\u003c\/script>/);
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { coinFlips, drawSvg, figureBundle, stopDrawing } from "batching-lab/charts";
import { JSDOM } from "jsdom";
import { EVERY_FIGURE } from "./figures.js";

const bundles = new Map<string, Awaited<ReturnType<typeof figureBundle>>>();
before(async () => {
	for (const [name, figure] of Object.entries(EVERY_FIGURE)) bundles.set(name, await figureBundle(figure));
});
after(stopDrawing);

test("every chart has all its forms in at most 40 KB", () => {
	for (const [name, bundle] of bundles) {
		assert.deepEqual(Object.keys(bundle), [
			"text/html",
			"application/vnd.plotly.v1+json",
			"image/svg+xml",
			"text/plain",
		]);
		const bytes = Buffer.byteLength(JSON.stringify(bundle));
		assert.ok(bytes <= 40_000, `${name}: ${bytes} bytes`);
	}
});

test("every picture is well-formed, says what it shows, and every line fits into it", () => {
	for (const [name, bundle] of bundles) {
		const svg = String(bundle["image/svg+xml"]);
		assert.doesNotMatch(svg, /NaN|undefined|Infinity/, name);
		const { document } = new JSDOM(svg, { contentType: "image/svg+xml" }).window;
		assert.equal(document.documentElement.getAttribute("role"), "img");
		assert.equal(document.querySelector("title")?.textContent, bundle["text/plain"]);
		assert.ok(String(bundle["text/plain"]).length > 40, name);
		assert.match(document.querySelector("style")?.textContent ?? "", /prefers-color-scheme:dark/);
		for (const line of document.querySelectorAll("text, tspan")) {
			const words = line.children.length > 0 ? "" : (line.textContent ?? "");
			assert.ok(words.length <= 108, `${name}: a line of ${words.length} characters`);
		}
	}
});

test("the same figure gives the same bytes", async () => {
	const first = await drawSvg(coinFlips(5));
	stopDrawing();
	assert.equal(await drawSvg(coinFlips(5)), first);
});

test("a picture that cannot be drawn is an error with a code, and the next one can", async () => {
	const bad = { ...coinFlips(3), layout: { xaxis: { range: 7 }, shapes: 12 }, data: [{ type: "heatmap", z: [[1]] }] };
	await assert.rejects(drawSvg(bad), { code: "CHART_FAILED", exitCode: 1 });
	assert.match(await drawSvg(coinFlips(3)), /^<svg/);
});

test("a machine's owner says how long a chart may take; too short a time is an error that says so", async () => {
	process.env.WORKBOOK_START_LIMIT = "0.01";
	try {
		stopDrawing();
		await assert.rejects(drawSvg(coinFlips(3)), {
			code: "CHART_FAILED",
			message: /within 0\.01 s/,
			hint: /--start-limit/,
		});
		process.env.WORKBOOK_START_LIMIT = "soon";
		await assert.rejects(drawSvg(coinFlips(3)), { code: "BAD_ENVIRONMENT", message: /takes seconds, .* got "soon"/ });
	} finally {
		delete process.env.WORKBOOK_START_LIMIT;
	}
	assert.match(await drawSvg(coinFlips(3)), /^<svg/);
});

test("the drawing process does not keep the program alive", async () => {
	const { spawnSync } = await import("node:child_process");
	const code = `import { drawSvg, coinFlips } from "batching-lab/charts"; await drawSvg(coinFlips(3)); console.log("drawn");`;
	const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 60_000 });
	assert.equal(run.stdout, "drawn\n");
	assert.equal(run.status, 0);
});

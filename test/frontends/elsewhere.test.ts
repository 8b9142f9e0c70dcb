import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { executeNotebook } from "batching-lab/notebook";
import type { Page } from "playwright-core";
import { Jupyter, runAllCells, save, screenshot } from "./jupyter.js";
import { folderInProject, jupyterEnvironment, pythonEnvironment, root, run } from "./support.js";

const NAME = "2-progress-and-chart.ipynb";
/** A chart's output: one picture or one interactive chart, never both. */
const CHART = "div[id^='chart-']";

describe("a chart where its library cannot be had, and on paper", () => {
	const folder = folderInProject();
	const [inside, outside] = [join(folder, NAME), join(folder, "elsewhere", NAME)];
	let bin = "";
	let jupyter: Jupyter;
	let elsewhere: Jupyter;
	before(async () => {
		bin = await pythonEnvironment();
		await run("mkdir", ["-p", join(folder, "elsewhere")]);
		for (const path of [inside, outside]) copyFileSync(join(root, "test", "notebooks", NAME), path);
		jupyter = await Jupyter.start(bin, folder);
		// Its folder is not the workbook's, so nothing of node_modules is under its /files/.
		elsewhere = await Jupyter.start(bin, join(folder, "elsewhere"), {}, join(folder, "elsewhere"));
	});
	after(async () => {
		await jupyter.stop();
		await elsewhere.stop();
	});

	async function assertPicture(page: Page, line: RegExp): Promise<void> {
		await page.locator(`${CHART} small`, { hasText: line }).waitFor();
		assert.equal(await page.locator(`${CHART} small`).count(), 1, "one line");
		assert.equal(await page.locator(".js-plotly-plot").count(), 0);
		assert.deepEqual(await pictures(page), ["IMG"]);
	}

	it("stays a picture, with one line why, in a server that was started elsewhere", async () => {
		for (const app of ["lab/tree", "notebooks"] as const) {
			const page = await elsewhere.open(outside, app);
			await runAllCells(page);
			await assertPicture(
				page,
				/^A picture: the interactive chart could not be loaded from 127\.0\.0\.1:\d+\. It can be in Jupyter, started in the workbook's folder\.$/,
			);
			await page.emulateMedia({ media: "print" });
			assert.deepEqual(await pictures(page), ["IMG"]);
			await screenshot(page, `elsewhere-${app.replace("/", "-")}`);
			await page.close();
		}
	});

	it("stays a picture when the library's file is refused or broken", async () => {
		const page = await jupyter.open(inside);
		const library = "**/plotly.js-dist/plotly.js";
		await page.route(library, (route) => route.abort());
		await runAllCells(page);
		await assertPicture(page, /could not be loaded/);
		await page.close();
		const again = await jupyter.open(inside);
		await again.route(library, (route) =>
			route.fulfill({ contentType: "text/javascript", body: "this is no library" }),
		);
		await runAllCells(again);
		await assertPicture(again, /could not be loaded/);
		await again.close();
	});

	it("prints one picture, from JupyterLab, from its HTML export, and from our page", async () => {
		const page = await jupyter.open(inside);
		await runAllCells(page);
		await page.locator(`${CHART} .js-plotly-plot .main-svg`).first().waitFor();
		await page.emulateMedia({ media: "print" });
		assert.deepEqual(await pictures(page), ["plot"]);
		await save(page, inside);
		await page.close();

		const env = await jupyterEnvironment(folder);
		await run(join(bin, "jupyter"), ["nbconvert", "--to", "html", "--output", "exported.html", inside], { env });
		const { html } = await executeNotebook(inside, join(folder, "ours", NAME));
		for (const file of [join(folder, "exported.html"), html ?? ""]) {
			const exported = await jupyter.openUrl(pathToFileURL(file).href);
			await exported.emulateMedia({ media: "print" });
			await exported.locator("img").first().waitFor();
			assert.deepEqual(await pictures(exported), ["IMG"], file);
			await exported.close();
		}
	});
});

/** What of a chart can be seen on the page: its picture, the interactive chart, or (never) both. */
function pictures(page: Page): Promise<string[]> {
	return page.locator("img, .js-plotly-plot").evaluateAll((elements) =>
		elements
			.filter((element) => {
				const { width, height } = element.getBoundingClientRect();
				return width > 200 && height > 100 && getComputedStyle(element).visibility === "visible";
			})
			.map((element) => (element.tagName === "IMG" ? "IMG" : "plot")),
	);
}

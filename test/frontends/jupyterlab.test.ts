import assert from "node:assert/strict";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readNotebook, runNotebooks } from "batching-lab/notebook";
import { shown } from "./compare.js";
import { Jupyter, runAllCells, save, screenshot } from "./jupyter.js";
import { folderInProject, pythonEnvironment, root } from "./support.js";

const samples = join(root, "test", "notebooks");
const names = readdirSync(samples).filter((name) => name.endsWith(".ipynb"));

describe("Jupyter's own pages run the sample notebooks as the runner does", () => {
	const folder = folderInProject();
	let jupyter: Jupyter;
	before(async () => {
		for (const name of names) cpSync(join(samples, name), join(folder, name));
		const sources = names.map((name) => join(samples, name));
		assert.equal((await runNotebooks(sources, { outDir: join(folder, "ours"), html: false })).status, "finished");
		jupyter = await Jupyter.start(await pythonEnvironment(), folder);
	});
	after(() => jupyter.stop());

	for (const app of ["lab/tree", "notebooks"] as const) {
		for (const name of names) {
			it(`${app === "notebooks" ? "Notebook 7" : "JupyterLab"}, ${name}`, async () => {
				const page = await jupyter.open(join(folder, name), app);
				await runAllCells(page);
				if (name.includes("chart")) {
					// The picture is replaced by the interactive chart, with no extension installed.
					await page.locator(".jp-OutputArea-output .js-plotly-plot .main-svg").first().waitFor();
				}
				await screenshot(page, `${app.replace("/", "-")}-${name}`);
				await save(page, join(folder, name));
				const theirs = await readNotebook(join(folder, name));
				assert.deepEqual(shown(theirs), shown(await readNotebook(join(folder, "ours", name))));
				await page.close();
			});
		}
	}
});

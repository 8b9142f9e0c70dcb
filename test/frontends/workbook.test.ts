import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findProject } from "batching-lab/base";
import { prepareAssets } from "batching-lab/model";
import { readNotebook, runNotebooks } from "batching-lab/notebook";
import type { Page } from "playwright-core";
import { Jupyter, runAllCells, save, screenshot, until } from "./jupyter.js";
import { assertSameOutline, chartsIn, faults } from "./outline.js";
import { copiesIn, measuringIn, ownFolder, ownNames } from "./own.js";
import { folderInProject, jupyterEnvironment, pythonEnvironment, run } from "./support.js";

/** A minute on a quiet machine, for the slowest notebook on a crowded one. */
const LIMIT_MS = 600_000;
/**
 * Notebook 7 is made of JupyterLab's own cells and outputs, so what differs is the page around them. It gets the first
 * notebook, as readers meet it, and the one with the box and most charts, which finds the record of JupyterLab's run.
 */
const IN_NOTEBOOK_7 = ownNames.filter((name, index) => index === 0 || name.startsWith("06-"));

describe("the workbook's own notebooks, profile smoke, in every front end", () => {
	const folder = folderInProject();
	const ours = join(folder, "ours");
	const copies: string[] = [];
	let bin = "";
	let jupyter: Jupyter;
	before(async () => {
		bin = await pythonEnvironment();
		await prepareAssets(findProject(folder).dataDir);
		const sources = ownNames.map((name) => join(ownFolder, name));
		const options = { outDir: ours, parameters: { profile: "smoke" }, env: measuringIn(ours), html: false };
		const { notebooks, status } = await runNotebooks(sources, options);
		assert.equal(status, "finished", notebooks.at(-1)?.failure?.message);
		jupyter = await Jupyter.start(bin, folder, measuringIn(join(folder, "run")));
	});
	after(() => jupyter.stop());

	/** No error, and the outputs of our runner's copy as far as they do not follow what was measured. */
	async function assertAsOurs(path: string, name: string): Promise<void> {
		const theirs = await readNotebook(path);
		assert.deepEqual(faults(theirs), []);
		assertSameOutline(theirs, await readNotebook(join(ours, name)));
		copies.push(path);
	}

	async function readAndUse(app: "lab/tree" | "notebooks", path: string, name: string): Promise<void> {
		const page = await jupyter.open(path, app);
		await runAllCells(page, LIMIT_MS);
		await save(page, path);
		await assertAsOurs(path, name);
		const charts = chartsIn(await readNotebook(path));
		const drawn = page.locator(".jp-OutputArea-output .js-plotly-plot:has(.main-svg)");
		await until(60_000, `${charts} charts`, async () => (await drawn.count()) >= charts);
		assert.equal(await drawn.count(), charts);
		assert.equal(await page.locator(".jp-OutputArea-output [id^='chart-'] > img").count(), 0, "no picture is left");
		if (name.startsWith("06-")) await useLookupBox(page);
		await screenshot(page, `${app.replace("/", "-")}-${name}`);
		await page.close();
	}

	it("JupyterLab runs all, draws every chart, and its reader asks the look-up box", async (t) => {
		for (const path of await copiesIn(join(folder, "lab"))) {
			const name = path.slice(path.lastIndexOf("/") + 1);
			await t.test(name, () => readAndUse("lab/tree", path, name));
		}
	});

	it("Notebook 7 runs the first and the last", async (t) => {
		const paths = await copiesIn(join(folder, "notebook7"));
		for (const name of IN_NOTEBOOK_7) {
			const path = paths[ownNames.indexOf(name)] ?? "";
			await t.test(name, () => readAndUse("notebooks", path, name));
		}
	});

	it("nbclient runs all", async () => {
		const paths = await copiesIn(join(folder, "nbclient"));
		const script = `
import nbformat, os, sys
from nbclient import NotebookClient
for path in sys.argv[1:]:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, kernel_name="tslab", resources={"metadata": {"path": os.path.dirname(path)}}).execute()
    nbformat.write(notebook, path)
`;
		const env = { ...(await jupyterEnvironment(folder)), ...measuringIn(join(folder, "nbclient", "run")) };
		await run(join(bin, "python"), ["-c", script, ...paths], { env, timeout: LIMIT_MS });
		for (const [index, name] of ownNames.entries()) await assertAsOurs(paths[index] ?? "", name);
	});

	// Papermill can set parameters in a few languages, and TypeScript is none of them: it gets copies that have theirs.
	it("papermill runs all, on the record that nbclient left", async () => {
		const env = { ...(await jupyterEnvironment(folder)), ...measuringIn(join(folder, "nbclient", "run")) };
		const options = ["--no-progress-bar", "--kernel", "tslab", "--cwd", folder];
		for (const [index, path] of (await copiesIn(join(folder, "given"))).entries()) {
			const target = join(folder, `papermill-${index}.ipynb`);
			await run(join(bin, "papermill"), [...options, path, target], { env, timeout: LIMIT_MS });
			await assertAsOurs(target, ownNames[index] ?? "");
		}
	});

	it("nbformat finds every copy valid as it is", async () => {
		const script = `
import nbformat, sys
for path in sys.argv[1:]:
    nbformat.validate(nbformat.read(path, as_version=nbformat.NO_CONVERT))
print(len(sys.argv) - 1)
`;
		const all = [...copies, ...ownNames.map((name) => join(ours, name))];
		const { stdout } = await run(join(bin, "python"), ["-W", "error", "-c", script, ...all]);
		assert.equal(stdout.trim(), String(4 * ownNames.length + IN_NOTEBOOK_7.length));
	});
});

/** Turns every dial to its last value; the answer names that point, with `none` at the same rate before it. */
async function useLookupBox(page: Page): Promise<void> {
	const box = page.locator(".jp-OutputArea-output .batching-lookup");
	await box.scrollIntoViewIfNeeded();
	const chosen: Record<string, string> = {};
	for (const dial of ["model", "maxBatchSize", "maxWaitMs", "rateMultiple"]) {
		const select = box.locator(`select[data-dial='${dial}']`);
		const last = (await select.locator("option").allTextContents()).at(-1) ?? "";
		await select.selectOption({ label: last });
		chosen[dial] = last;
	}
	const lines = ((await box.locator("pre").textContent()) ?? "").split("\n");
	const { maxBatchSize: b, maxWaitMs: w, rateMultiple: rate } = chosen;
	assert.equal(lines.length, 2, lines.join("\n"));
	assert.ok(lines[0]?.startsWith(`none at ${rate} S`), lines[0]);
	assert.ok(lines[1]?.startsWith(`b${b}w${w} at ${rate} S`), lines[1]);
	assert.match(lines[1] ?? "", /p50 .*p99 /);
}

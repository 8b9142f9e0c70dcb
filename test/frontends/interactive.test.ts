import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { formatNotebook } from "batching-lab/notebook";
import { chooseFromMenu, Jupyter, screenshot, until } from "./jupyter.js";
import { folderInProject, pythonEnvironment } from "./support.js";

const LONG_CELL = `import { spawn } from "node:child_process";
import { liveProgress } from "batching-lab/notebook";
const { onProgress, signal } = liveProgress();
const child = spawn("sleep", ["600"], { signal });
child.on("error", () => console.log("the child was stopped"));
console.log("child", child.pid);
for (let done = 0; !signal.aborted; done++) {
  onProgress({ done, total: 600, text: "working" });
  await new Promise((resolve) => setTimeout(resolve, 250));
}`;

const DOCUMENTED_CELL = `import { liveProgress } from "batching-lab/notebook";
liveProgress`;

const COMPLETED_CELL = `import * as notebook from "batching-lab/notebook";
notebook.live`;

describe("a person at a notebook in JupyterLab", () => {
	const folder = folderInProject();
	let jupyter: Jupyter;
	before(async () => {
		const sources = { long: LONG_CELL, documented: DOCUMENTED_CELL, completed: COMPLETED_CELL };
		for (const [name, source] of Object.entries(sources)) {
			const cell = { cell_type: "code" as const, id: name, metadata: {}, source, execution_count: null, outputs: [] };
			const kernelspec = { name: "tslab", display_name: "TypeScript", language: "typescript" };
			const notebook = { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
			writeFileSync(join(folder, `${name}.ipynb`), formatNotebook(notebook));
		}
		jupyter = await Jupyter.start(await pythonEnvironment(), folder);
	});
	after(() => jupyter.stop());

	it("sees progress move in place and interrupts it; no child is left", async () => {
		const page = await jupyter.open(join(folder, "long.ipynb"));
		await chooseFromMenu(page, "Run", "Run All Cells");
		const progress = page.locator(".jp-OutputArea-output progress");
		await progress.waitFor();
		const start = Number(await progress.getAttribute("value"));
		await until(60_000, "progress", async () => Number(await progress.getAttribute("value")) > start);
		assert.equal(await progress.count(), 1, "drawn in place");
		const said = (await page.locator(".jp-OutputArea").textContent()) ?? "";
		const pid = Number(/child (\d+)/.exec(said)?.[1]);
		assert.ok(pid > 0, said);
		await screenshot(page, "long-cell");
		await chooseFromMenu(page, "Kernel", "Interrupt Kernel");
		await until(30_000, "the child to end", () => !isRunning(pid));
		await page.getByText("Interrupted asynchronously").first().waitFor();
		await page.close();
	});

	it("reads a library function's documentation where it is used", async () => {
		const page = await jupyter.open(join(folder, "documented.ipynb"));
		await page.locator(".jp-CodeCell .cm-line").last().click();
		await page.keyboard.press("End");
		await page.keyboard.press("Shift+Tab");
		const tooltip = page.locator(".jp-Tooltip");
		await tooltip.waitFor();
		await screenshot(page, "documentation");
		assert.match(
			(await tooltip.textContent()) ?? "",
			/liveProgress\(what\?: string(?: \| undefined)?\): LiveProgress[\s\S]*Progress of a long task, drawn in place/,
		);
		await page.close();
	});

	it("is offered the library's names where one is begun", async () => {
		const page = await jupyter.open(join(folder, "completed.ipynb"));
		const line = page.locator(".jp-CodeCell .cm-line").last();
		await line.click();
		await page.keyboard.press("End");
		await page.keyboard.press("Tab");
		// With one name to offer, the front end takes it; with several it shows a list.
		const offered = page.locator(".jp-Completer-item", { hasText: "liveProgress" });
		const taken = page.locator(".jp-CodeCell .cm-line", { hasText: "notebook.liveProgress" });
		await offered.or(taken).first().waitFor();
		await screenshot(page, "completion");
		await page.close();
	});
});

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { checkClean, cleanNotebook, parseNotebook } from "batching-lab/notebook";
import { corpus, temporaryFolder } from "./support.js";

const dirty = {
	cells: [
		{
			cell_type: "markdown",
			id: "workbook-failed-banner",
			metadata: { tags: ["workbook-banner"] },
			source: ["stopped"],
		},
		{
			cell_type: "code",
			id: "a",
			metadata: { tags: ["parameters"], execution: { "iopub.status.busy": "2026" }, jupyter: { source_hidden: true } },
			execution_count: 4,
			outputs: [{ output_type: "stream", name: "stdout", text: ["out"] }],
			source: ["const a = 1;"],
		},
	],
	metadata: {
		kernelspec: { name: "tslab", display_name: "TypeScript", language: "typescript", path: "/home/x" },
		language_info: { name: "typescript", version: "3.7.2" },
		widgets: {},
	},
	nbformat: 4,
	nbformat_minor: 5,
};

describe("notebooks in a repository carry what an author wrote", () => {
	it("says what does not belong there, then takes it out", async () => {
		const path = join(temporaryFolder(), "dirty.ipynb");
		writeFileSync(path, JSON.stringify(dirty));
		assert.deepEqual(await checkClean(path), [
			"cell 1 (workbook-failed-banner) was put there by a run",
			"cell 2 (a) has outputs",
			"cell 2 (a) has an execution count",
			"cell 2 (a) has machine metadata: execution",
			"the notebook has machine metadata: widgets",
		]);
		assert.equal(await cleanNotebook(path), true);
		assert.deepEqual(await checkClean(path), []);
		assert.equal(await cleanNotebook(path), false);
		const { cells, metadata } = parseNotebook(readFileSync(path, "utf8"), path);
		assert.deepEqual(
			cells.map(({ id, metadata }) => [id, metadata]),
			[["a", { tags: ["parameters"], jupyter: { source_hidden: true } }]],
		);
		assert.deepEqual(metadata, {
			kernelspec: { name: "tslab", display_name: "TypeScript", language: "typescript" },
			language_info: { name: "typescript", version: "3.7.2" },
		});
	});

	it("notices text that the next save would change", async () => {
		const path = join(temporaryFolder(), "compact.ipynb");
		writeFileSync(path, JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
		const [problem, ...others] = await checkClean(path);
		assert.match(problem ?? "", /not in the stored form/);
		assert.deepEqual(others, []);
	});

	it("refuses to touch what is no notebook", async () => {
		await assert.rejects(cleanNotebook(corpus("not-json")), { code: "BAD_NOTEBOOK" });
		await assert.rejects(checkClean("no-such.ipynb"), { code: "UNKNOWN_NOTEBOOK" });
	});

	it("finds the samples of this project clean", async () => {
		const folder = join(dirname(corpus("x")), "..", "..", "notebooks");
		const names = readdirSync(folder).filter((name) => name.endsWith(".ipynb"));
		assert.ok(names.length >= 3);
		for (const name of names) assert.deepEqual(await checkClean(join(folder, name)), [], name);
	});
});

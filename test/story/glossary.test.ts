import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findProject } from "batching-lab/base";
import { profileNamed } from "batching-lab/lab";
import { readNotebook } from "batching-lab/notebook";
import { glossary } from "batching-lab/story";
import { heard } from "./record.js";

const words = () =>
	heard(glossary)
		.split("\n")
		.slice(2)
		.flatMap((line) => line.split(" | ")[0]?.replace(/^\| /, "").split(", ") ?? [])
		.filter((word) => word !== "");

test("the glossary has every word once, and every setting that quick measures", () => {
	const all = words();
	assert.deepEqual(
		all.filter((word, index) => all.indexOf(word) !== index),
		[],
	);
	const { settings, saturationSettings } = profileNamed("quick");
	for (const setting of [...settings, ...saturationSettings, "none again", "b1w0"])
		assert.ok(all.includes(setting), setting);
	for (const word of ["the lesson", "S", "canary", "core time", "plateau", "saturation", "INVALID", "LATE"])
		assert.ok(all.includes(word), word);
});

test("words stand to the left in the glossary and in every table written by hand", async () => {
	assert.match(heard(glossary), /\n\| :--- \| :--- \|\n/);
	const folder = findProject().notebooksDir;
	for (const name of readdirSync(folder).filter((file) => file.endsWith(".ipynb"))) {
		const { cells } = await readNotebook(join(folder, name));
		const source = JSON.stringify(cells.map((cell) => cell.source));
		for (const [rule] of source.matchAll(/\|(?: ?:?-{3,}:? ?\|)+/g))
			for (const column of rule.split("|").slice(1, -1))
				assert.match(column, /:/, `${name}: a column of ${rule} leaves its side to the reader's program`);
	}
});

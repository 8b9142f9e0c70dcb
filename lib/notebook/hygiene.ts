import { readFile } from "node:fs/promises";
import { clearExecution } from "./copy.js";
import type { Notebook } from "./format.js";
import { parseNotebook, readNotebook } from "./read.js";
import { formatNotebook, saveWhole } from "./write.js";

/** What an author writes; everything else in a notebook's metadata comes from a machine. */
const NOTEBOOK_KEYS = new Set(["kernelspec", "language_info", "title", "authors"]);
const KERNELSPEC_KEYS = new Set(["name", "display_name", "language"]);
const CELL_KEYS = new Set(["tags", "name", "jupyter", "slideshow", "editable", "deletable", "format", "raw_mimetype"]);

/**
 * Says what a notebook in a repository should not carry: outputs, execution counts, machine metadata, banners, and
 * text that another save would change. Empty: the notebook is clean.
 *
 * @throws {CodedError} `UNKNOWN_NOTEBOOK`, `BAD_NOTEBOOK`.
 */
export async function checkClean(path: string): Promise<string[]> {
	const notebook = await readNotebook(path);
	const problems: string[] = [];
	for (const [index, cell] of notebook.cells.entries()) {
		const where = `cell ${index + 1} (${cell.id})`;
		if (cell.cell_type === "code" && cell.outputs.length > 0) problems.push(`${where} has outputs`);
		if (cell.cell_type === "code" && cell.execution_count !== null) problems.push(`${where} has an execution count`);
		if (cell.metadata.tags?.some((tag) => tag === "workbook-banner" || tag === "injected-parameters") === true) {
			problems.push(`${where} was put there by a run`);
		}
		for (const key of foreign(cell.metadata, CELL_KEYS)) problems.push(`${where} has machine metadata: ${key}`);
	}
	for (const key of foreign(notebook.metadata, NOTEBOOK_KEYS))
		problems.push(`the notebook has machine metadata: ${key}`);
	if (problems.length === 0 && (await readFile(path, "utf8")) !== cleanText(notebook)) {
		problems.push(
			"its keys or lines are not in the stored form, so a save in Jupyter would change more than was edited",
		);
	}
	return problems;
}

/** Rewrites a notebook without what `checkClean` reports. Returns whether anything changed. */
export async function cleanNotebook(path: string): Promise<boolean> {
	const content = await readFile(path, "utf8").catch(() => undefined);
	const notebook = content === undefined ? await readNotebook(path) : parseNotebook(content, path);
	const cleaned = cleanText(notebook);
	if (cleaned === content) return false;
	await saveWhole(path, cleaned);
	return true;
}

function cleanText(notebook: Notebook): string {
	clearExecution(notebook);
	for (const { metadata } of notebook.cells) {
		for (const key of foreign(metadata, CELL_KEYS)) delete metadata[key];
	}
	for (const key of foreign(notebook.metadata, NOTEBOOK_KEYS)) delete notebook.metadata[key];
	const { kernelspec } = notebook.metadata;
	if (kernelspec !== undefined) for (const key of foreign(kernelspec, KERNELSPEC_KEYS)) delete kernelspec[key];
	return formatNotebook({ ...notebook, nbformat_minor: 5 });
}

function foreign(metadata: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): string[] {
	return Object.keys(metadata).filter((key) => !known.has(key));
}

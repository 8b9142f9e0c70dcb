import type { Notebook } from "./format.js";

/**
 * A notebook as one HTML page that any browser opens, from disk and without a network; `source` names it. What draws
 * the page is loaded on the first call, since a kernel that imports this library never needs it.
 */
export async function renderPage(notebook: Notebook, source: string): Promise<string> {
	return [...(await pageText(notebook, source))].join("");
}

/** The same in pieces. */
export async function pageText(notebook: Notebook, source: string): Promise<Iterable<string>> {
	const { notebookPage } = await import("./page/index.js");
	return notebookPage(notebook, source);
}

import type { Notebook, Output } from "batching-lab/notebook";

/** A cell only our runner has, and one that JupyterLab runs and the others do not. */
const LEFT_OUT: ReadonlySet<string> = new Set(["injected-parameters", "skip-execution"]);

/**
 * What an output shows, without what differs between two executions of the same cell: ids, counts, times, and where
 * a stream was cut into pieces.
 */
export function shown(notebook: Notebook): unknown[] {
	return shownCells(notebook).map(({ outputs }) => outputs.map(normal));
}

/** The code cells that every front end runs, with their outputs; all text to a stream is one output. */
export function shownCells(notebook: Notebook): { readonly id: string; readonly outputs: readonly Output[] }[] {
	return notebook.cells.flatMap((cell) => {
		if (cell.cell_type !== "code" || cell.metadata.tags?.some((tag) => LEFT_OUT.has(tag))) return [];
		return [{ id: cell.id, outputs: joined(cell.outputs) }];
	});
}

/** A stream that is interrupted by nothing else is one text, in whatever order front ends interleave the two. */
function joined(outputs: readonly Output[]): Output[] {
	const result: Output[] = [];
	for (const output of outputs) {
		const same = result.find(
			(other) => other.output_type === "stream" && output.output_type === "stream" && other.name === output.name,
		);
		if (same?.output_type === "stream" && output.output_type === "stream") same.text += output.text;
		else result.push({ ...output });
	}
	return result;
}

function normal(output: Output): unknown {
	if (output.output_type === "stream") return { [output.name]: timeless(output.text) };
	if (output.output_type === "error") return { error: output.evalue };
	const data = Object.entries(output.data).map(([mime, value]) => [
		mime,
		timeless(typeof value === "string" ? value : JSON.stringify(value)),
	]);
	return Object.fromEntries(data);
}

/** Durations, paths of stack traces and random ids. */
function timeless(text: string): string {
	return text
		.replace(/\b\d+:\d\d\b/g, "M:SS")
		.replace(/[\w-]*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
		.replace(/\n {4}at .*/g, "");
}

import assert from "node:assert/strict";
import type { Notebook, Output } from "batching-lab/notebook";
import { shownCells } from "./compare.js";

const CHART = "application/vnd.plotly.v1+json";

/** What one output is, as far as two executions that measure differently must agree. */
interface Kind {
	readonly kind: string;
	/** A chart's headline. */
	readonly title?: string | undefined;
}

/**
 * Asserts what two executions of a notebook have in common although no measured value is the same: every cell has the
 * same outputs in the same order, and charts of the same headline. Two things follow the measurement: a result that
 * cannot be drawn has a sentence in the chart's place, and a cell that finds all of its runs in the record has no
 * progress to show.
 */
export function assertSameOutline(theirs: Notebook, ours: Notebook): void {
	const [left, right] = [shownCells(theirs), shownCells(ours)];
	assert.deepEqual(
		left.map(({ id }) => id),
		right.map(({ id }) => id),
	);
	for (const [index, { id, outputs }] of left.entries()) {
		const [have, want] = [kinds(outputs), kinds(right[index]?.outputs ?? [])];
		assert.deepEqual(
			have.map(({ kind }) => kind),
			want.map(({ kind }) => kind),
			`cell ${id}`,
		);
		for (const [place, { title }] of have.entries()) {
			const other = want[place]?.title;
			if (title !== undefined && other !== undefined) assert.equal(title, other, `cell ${id}`);
		}
	}
}

/** How many charts a copy shows. */
export function chartsIn(notebook: Notebook): number {
	const outputs = shownCells(notebook).flatMap((cell) => cell.outputs);
	return outputs.filter((output) => "data" in output && output.data[CHART] !== undefined).length;
}

/** The errors a copy shows, and the cells that were not run. */
export function faults(notebook: Notebook): string[] {
	return notebook.cells.flatMap((cell) => {
		if (cell.cell_type !== "code") return [];
		const errors = cell.outputs.flatMap((output) =>
			output.output_type === "error" ? [`${cell.id}: ${output.ename}: ${output.evalue}`] : [],
		);
		return cell.execution_count === null && cell.source !== "" ? [...errors, `${cell.id} was not run`] : errors;
	});
}

function kinds(outputs: readonly Output[]): Kind[] {
	return outputs.flatMap((output): Kind[] => {
		if (output.output_type === "stream") return [{ kind: output.name }];
		if (output.output_type === "error") return [{ kind: `error ${output.ename}: ${output.evalue}` }];
		const words = String(output.data["text/plain"]);
		if (/^[\d,]+ of [\d,]+\b/.test(words)) return [];
		const figure = output.data[CHART];
		if (figure !== undefined) return [{ kind: "chart or sentence", title: headline(figure) }];
		const types = Object.keys(output.data).sort().join(" ");
		return [{ kind: types === "text/markdown text/plain" ? "chart or sentence" : types }];
	});
}

/** The headline says what is drawn; numbers in it, and the line below it, may follow what was measured. */
function headline(figure: unknown): string {
	const title = field(field(field(figure, "layout"), "title"), "text");
	return String(title)
		.replace(/<br>.*/s, "")
		.replace(/\d[\d.,]*/g, "N");
}

function field(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

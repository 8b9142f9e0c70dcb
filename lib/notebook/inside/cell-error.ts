import { format, inspect } from "node:util";

/** The content of a Jupyter `error` message, and part of a reply that says `error`. */
export interface CellError {
	readonly ename: string;
	readonly evalue: string;
	readonly traceback: readonly string[];
}

/** Frames of the kernel itself, beneath the cell's own. */
const KERNEL_FRAME = /^\s+at .*(?:\bnode:|[\\/]tslab[\\/]dist[\\/]|[\\/]notebook[\\/]inside[\\/])/;

/** What tslab hands to its console for a failed cell: the thrown value alone, or a format and a diagnostic's parts. */
export function describeError(given: readonly unknown[]): CellError {
	const [thrown, ...rest] = given;
	if (rest.length > 0) {
		const text = format(...given);
		return { ename: "TypeScript", evalue: text, traceback: [text] };
	}
	const traceback = inspect(thrown)
		.split("\n")
		.filter((line) => !KERNEL_FRAME.test(line));
	return thrown instanceof Error
		? { ename: thrown.name, evalue: thrown.message, traceback }
		: { ename: "thrown", evalue: String(thrown), traceback };
}

/** A cell with several diagnostics has one error that shows them all. */
export function joinErrors(first: CellError | undefined, next: CellError): CellError {
	return first === undefined ? next : { ...first, traceback: [...first.traceback, ...next.traceback] };
}

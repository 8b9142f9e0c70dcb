import { stripVTControlCharacters } from "node:util";
import type { CodeCell } from "./format.js";

/** A line that names an error: `TypeError: …`, tslab's own prefixes, or TypeScript's `1:7 - Type …`. */
const NAMES_ERROR = /^(?:Uncaught|UnhandledPromiseRejection|[A-Z]\w*(?:Error|Exception|Interrupted)\b|\S*\d+:\d+ - )/;

/**
 * The line that says what went wrong in a failed cell: its `error` output. A tslab without the mended kernel sends an
 * error as text on standard error, behind whatever the cell wrote there itself; there the last line that names an error
 * is taken, else the last one that is not indented.
 */
export function errorLine(cell: CodeCell): string {
	const error = cell.outputs.find((output) => output.output_type === "error");
	if (error?.output_type === "error") {
		return error.ename === "TypeScript" ? error.evalue : `${error.ename}: ${error.evalue}`;
	}
	const text = cell.outputs
		.filter((output) => output.output_type === "stream" && output.name === "stderr")
		.map((output) => (output.output_type === "stream" ? output.text : ""))
		.join("");
	const lines = stripVTControlCharacters(text)
		.split("\n")
		.filter((line) => line.trim() !== "");
	const named = lines.filter((line) => NAMES_ERROR.test(line)).at(-1);
	const plain = lines.filter((line) => !/^[\s}\]]/.test(line)).at(-1);
	return (named ?? plain ?? "the cell failed without a message").slice(0, 2_000);
}

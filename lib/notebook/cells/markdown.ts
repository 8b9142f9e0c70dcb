import { displayMime } from "../../base/index.js";

/**
 * Shows computed Markdown below the cell.
 *
 * @example
 * md`The model answers **${rate.toFixed(0)}** requests a second.`;
 */
export function md(strings: TemplateStringsArray, ...values: readonly unknown[]): void {
	const text = strings.map((part, index) => (index === 0 ? part : `${String(values[index - 1])}${part}`)).join("");
	displayMime({ "text/markdown": text, "text/plain": text });
}

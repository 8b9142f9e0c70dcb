/** What a cell says that holds a number: maybe with its unit, or a mark that there is none. */
const NUMBER =
	/^(?:≈ ?)?[-−+]?\d[\d,.]*(?:e[-+]?\d+)?(?: ?(?:%|µs|ms|s|× S|times|rows?|GiB))?$|^–?$|^not (?:measured|run)$/;

const bare = (cell: string) =>
	cell
		.replace(/<[^>]+>/g, "")
		.replace(/\*\*|`/g, "")
		.trim();

/**
 * Rows as a Markdown table; the first row is the head. A column of numbers is set to the right, so that digits stand
 * below each other; a column with words in it, and always the first, to the left.
 * Both are said outright, since Jupyter sets a column to the right where nothing is said.
 */
export function table(rows: readonly (readonly string[])[]): string {
	const [head = [], ...body] = rows;
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	const numeric = (column: number) => column > 0 && body.every((row) => NUMBER.test(bare(row[column] ?? "")));
	return [line(head), line(head.map((_, column) => (numeric(column) ? "---:" : ":---"))), ...body.map(line)].join("\n");
}

/** A table for a terminal: numbers to the right, texts to the left, two blanks between columns. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
	const isNumber = head.map((_, column) => rows.every((row) => /^[\d.,–%×-]*$/.test(row[column] ?? "")));
	const line = (cells: readonly string[]) =>
		widths
			.map((width, column) => {
				const cell = cells[column] ?? "";
				return isNumber[column] === true ? cell.padStart(width) : cell.padEnd(width);
			})
			.join("  ")
			.trimEnd();
	return `${[head, ...rows].map(line).join("\n")}\n`;
}

/** Made on the first number: the system's number formats take 6 MB. */
let grouped: Intl.NumberFormat | undefined;

/** 1,234 */
export function whole(value: number): string {
	grouped ??= new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
	return grouped.format(value);
}

/** A time in µs with three figures that mean something: 1.36, 55.9, 1,389. */
export function micros(value: number): string {
	const size = Math.abs(value);
	return size < 10 ? value.toFixed(2) : size < 1000 ? value.toFixed(1) : whole(value);
}

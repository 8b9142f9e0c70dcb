import { type ColumnArray, type ColumnType, decodeColumn } from "./codec.js";
import { RecordError } from "./errors.js";
import { bytes, num, type Row, text, word } from "./rows.js";

/** The decoded columns of one family of one run, by name. */
export class ColumnSet {
	readonly #columns = new Map<string, ColumnArray>();
	readonly #what: string;

	constructor(rows: readonly Row[], what: string) {
		this.#what = what;
		for (const row of rows) {
			const name = text(row, "name");
			const type: ColumnType = word("f8", "u4", "u2", "u1")(row, "type");
			const encoded = { type, length: num(row, "length"), data: bytes(row, "data") };
			this.#columns.set(name, decodeColumn(encoded, `${name} of ${what}`));
		}
	}

	get empty(): boolean {
		return this.#columns.size === 0;
	}

	get<T extends ColumnArray>(name: string, kind: new (length: number) => T): T {
		const column = this.#columns.get(name);
		if (column instanceof kind) return column;
		const found = column === undefined ? "missing" : `a ${column.constructor.name}`;
		throw new RecordError("RECORD_CORRUPT", `column ${name} of ${this.#what} is ${found}; expected ${kind.name}`, {
			exitCode: 1,
		});
	}
}

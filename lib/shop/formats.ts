import { CodedError } from "../base/index.js";
import { parseTime } from "./calendar.js";
import type { Invoice } from "./types.js";

/** Takes the rows of one file, then gives the invoices. */
export interface InvoiceCollector {
	/** @throws {CodedError} `MALFORMED_ROW` naming the line, the field and its value. */
	add(fields: readonly string[], line: number): void;
	finish(): Invoice[];
}

export interface CompactFormat {
	readonly name: "orders" | "lines";
	readonly header: readonly string[];
	collect(): InvoiceCollector;
}

export function malformed(line: number, problem: string): CodedError {
	return new CodedError("MALFORMED_ROW", `line ${line}: ${problem}`, {
		hint: "nothing was imported and the shop in use is unchanged; repair the line or fetch the file again",
	});
}

function shown(value: string): string {
	return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}

/** Reads the fields of one row by place; each complaint names line, field and value. */
class RowReader {
	readonly #fields: readonly string[];
	readonly #names: readonly string[];
	readonly #line: number;

	constructor(fields: readonly string[], names: readonly string[], line: number) {
		if (fields.length !== names.length)
			throw malformed(
				line,
				`${fields.length} fields where ${names.length} are expected (${names.join(",")}): ${shown(fields.join(","))}`,
			);
		this.#fields = fields;
		this.#names = names;
		this.#line = line;
	}

	text(place: number): string {
		return this.#fields[place] ?? "";
	}

	fail(place: number, problem: string): CodedError {
		return malformed(this.#line, `${this.#names[place]} ${shown(this.text(place))} ${problem}`);
	}

	whole(place: number, min: number): number {
		const text = this.text(place);
		const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
		if (!(value >= min)) throw this.fail(place, `is not a whole number${min > -Infinity ? ` of at least ${min}` : ""}`);
		return value;
	}

	customerId(place: number): number {
		const value = this.whole(place, 1);
		if (value > 0x7fffffff) throw this.fail(place, "is too large for a customer number");
		return value;
	}

	/** Pounds. */
	money(place: number): number {
		const text = this.text(place);
		if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw this.fail(place, "is not an amount like 505.3");
		return Number(text);
	}

	invoice(place: number): string {
		const text = this.text(place);
		if (!/^[A-Za-z]?\d{1,12}$/.test(text)) throw this.fail(place, "is not an invoice number like 489434 or C489449");
		return text;
	}

	minute(place: number): number {
		const minute = parseTime(this.text(place));
		if (typeof minute === "string") throw this.fail(place, minute);
		return minute;
	}
}

function poundsToPence(pounds: number): number {
	return Math.round(pounds * 100);
}

/** One row an invoice, already added up. */
export const ordersFormat: CompactFormat = {
	name: "orders",
	header: ["customer", "invoice", "time", "lines", "buy_lines", "amount"],
	collect() {
		const invoices: Invoice[] = [];
		const lineOf = new Map<string, number>();
		return {
			add(fields, line) {
				const row = new RowReader(fields, ordersFormat.header, line);
				const customerId = row.customerId(0);
				const key = `${customerId} ${row.invoice(1)}`;
				const earlier = lineOf.get(key);
				if (earlier !== undefined) throw row.fail(1, `of customer ${customerId} stands in line ${earlier} already`);
				lineOf.set(key, line);
				const minute = row.minute(2);
				const buyLines = row.whole(4, 0);
				if (buyLines > row.whole(3, 1)) throw row.fail(4, `is more than all its lines (${row.text(3)})`);
				const amount = row.money(5);
				if (amount > 0 !== buyLines > 0) throw row.fail(5, `does not go with ${buyLines} buying lines`);
				invoices.push({ customerId, minute, purchase: buyLines > 0, pence: poundsToPence(amount) });
			},
			finish: () => invoices,
		};
	},
};

interface Sum {
	readonly customerId: number;
	minute: number;
	purchase: boolean;
	pounds: number;
}

/**
 * One row an invoice line. A line buys when its invoice is no cancellation (`C…`), and quantity and price are above 0;
 * an invoice is dated by its first line. The sums are those of the orders file, to the penny.
 */
export const linesFormat: CompactFormat = {
	name: "lines",
	header: ["customer", "invoice", "stock", "quantity", "price", "time"],
	collect() {
		const sums = new Map<string, Sum>();
		return {
			add(fields, line) {
				const row = new RowReader(fields, linesFormat.header, line);
				const customerId = row.customerId(0);
				const invoice = row.invoice(1);
				const quantity = row.whole(3, Number.NEGATIVE_INFINITY);
				const price = row.money(4);
				const minute = row.minute(5);
				const key = `${customerId} ${invoice}`;
				let sum = sums.get(key);
				if (sum === undefined) {
					sum = { customerId, minute, purchase: false, pounds: 0 };
					sums.set(key, sum);
				}
				sum.minute = Math.min(sum.minute, minute);
				if (invoice.startsWith("C") || quantity <= 0 || price <= 0) return;
				sum.purchase = true;
				sum.pounds += quantity * price;
			},
			finish: () =>
				Array.from(sums.values(), ({ pounds, ...invoice }) => ({ ...invoice, pence: poundsToPence(pounds) })),
		};
	},
};

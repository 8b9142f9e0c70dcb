import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { gzipSync } from "node:zlib";
import { type Invoice, parseTime } from "batching-lab/shop";

/** A folder that is gone when the test file ends. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "shop-"));
	after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

export function invoice(customerId: number, time: string, pounds: number | undefined): Invoice {
	const minute = parseTime(time);
	if (typeof minute === "string") throw new Error(`${time} ${minute}`);
	return { customerId, minute, purchase: pounds !== undefined, pence: Math.round((pounds ?? 0) * 100) };
}

export const ORDERS_HEADER = "customer,invoice,time,lines,buy_lines,amount";
export const LINES_HEADER = "customer,invoice,stock,quantity,price,time";

/** Writes rows as a file; gzipped where the name says so. */
export function writeRows(folder: string, name: string, rows: readonly string[], lineEnd = "\n"): string {
	const file = join(folder, name);
	const text = rows.map((row) => row + lineEnd).join("");
	writeFileSync(file, name.endsWith(".gz") ? gzipSync(text) : text);
	return file;
}

/** The real shop, where a copy is at hand: `SHOP_DATA_DIR`, or `shared/data` beside the project. */
export function realDataFile(name: "retail-orders.csv.gz" | "retail-lines.csv.gz"): string | undefined {
	const folder = process.env.SHOP_DATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
	const file = join(folder, name);
	return existsSync(file) ? file : undefined;
}

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { importShop, type TaskProgress } from "batching-lab/shop";
import { invoice, LINES_HEADER, ORDERS_HEADER, temporaryFolder, writeRows } from "./fixtures.js";

const folder = temporaryFolder();
const orders = [
	ORDERS_HEADER,
	"13085,489434,2009-12-01T07:45,2,2,505.3",
	"13085,C489449,2009-12-03T10:33,1,0,0.0",
	"15362,489437,2009-12-31T23:59,3,2,0.07",
];
const lines = [
	LINES_HEADER,
	"13085,489434,85048,12,6.95,2009-12-01T07:46",
	"13085,489434,79323P,1,421.9,2009-12-01T07:45",
	"13085,C489449,22087,-12,2.95,2009-12-03T10:33",
	"15362,489437,22041,35,0.001,2009-12-31T23:59",
	"15362,489437,22042,35,0.001,2009-12-31T23:59",
	"15362,489437,M,1,0.0,2009-12-31T23:59",
];
const books = [
	invoice(13085, "2009-12-01T07:45", 505.3),
	invoice(13085, "2009-12-03T10:33", undefined),
	invoice(15362, "2009-12-31T23:59", 0.07),
];

describe("importShop", () => {
	for (const [name, format, rows] of [
		["orders.csv", "orders", orders],
		["orders.csv.gz", "orders", orders],
		["lines.csv", "lines", lines],
		["lines.csv.gz", "lines", lines],
	] as const) {
		it(`reads ${name}, told by its header`, async () => {
			const file = writeRows(folder, name, rows);
			const { origin, invoices } = await importShop(file);
			assert.deepEqual(invoices, books);
			const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
			assert.deepEqual(origin, { source: "imported", format, sha256 });
		});
	}

	it("knows gzip by its first bytes, whatever the file is called", async () => {
		const { renameSync } = await import("node:fs");
		const gzipped = writeRows(folder, "named.csv.gz", orders);
		renameSync(gzipped, `${folder}/named.csv`);
		assert.deepEqual((await importShop(`${folder}/named.csv`)).invoices, books);
	});

	it("takes Windows line ends, a byte order mark, quotes and a missing last line end", async () => {
		const windows = writeRows(folder, "windows.csv", [`\uFEFF${orders[0]}`, ...orders.slice(1)], "\r\n");
		assert.deepEqual((await importShop(windows)).invoices, books);
		const quoted = orders.map((row) => row.replace(/[^,]+/g, '"$&"'));
		assert.deepEqual((await importShop(writeRows(folder, "quoted.csv", quoted))).invoices, books);
		const open = writeRows(folder, "open.csv", [orders.join("\n")], "");
		assert.deepEqual((await importShop(open)).invoices, books);
	});

	it("tells its progress in bytes of the file, up to all of them", async () => {
		const events: TaskProgress[] = [];
		const file = writeRows(folder, "progress.csv", orders);
		await importShop(file, { onProgress: (event) => events.push(event) });
		const bytes = readFileSync(file).length;
		assert.deepEqual(events.at(-1), { done: bytes, total: bytes, text: "reading progress.csv" });
	});
});

import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { importShop } from "batching-lab/shop";
import { LINES_HEADER, ORDERS_HEADER, temporaryFolder, writeRows } from "./fixtures.js";

const folder = temporaryFolder();
const goodOrder = "13085,489434,2009-12-01T07:45,8,8,505.3";
const goodLine = "13085,489434,85048,12,6.95,2009-12-01T07:45";

async function refusal(
	file: string,
	signal?: AbortSignal,
): Promise<{ code: string; message: string; exitCode: number }> {
	try {
		await importShop(file, signal === undefined ? {} : { signal });
	} catch (error) {
		assert.ok(error instanceof Error && "code" in error && "exitCode" in error, String(error));
		return { code: String(error.code), message: error.message, exitCode: Number(error.exitCode) };
	}
	throw new assert.AssertionError({ message: `${file} was imported` });
}

describe("a malformed row is named by line, field and value", () => {
	for (const [bad, message] of [
		["x,489435,2009-12-01T07:46,4,4,145.8", 'line 3: customer "x" is not a whole number of at least 1'],
		["99999999999,489435,2009-12-01T07:46,4,4,1", 'line 3: customer "99999999999" is too large for a customer number'],
		["13085,,2009-12-01T07:46,4,4,145.8", 'line 3: invoice "" is not an invoice number like 489434 or C489449'],
		["13085,489435,2009-12-01 07:46,4,4,1", 'line 3: time "2009-12-01 07:46" is not a time like 2010-11-30T08:15'],
		["13085,489435,2010-02-30T07:46,4,4,1", 'line 3: time "2010-02-30T07:46" is not a time that exists'],
		["13085,489435,2010-02-28T25:46,4,4,1", 'line 3: time "2010-02-28T25:46" is not a time that exists'],
		[
			"13085,489435,2012-01-01T00:00,4,4,1",
			`line 3: time "2012-01-01T00:00" is outside the shop's books (2009-12 to 2011-12)`,
		],
		["13085,489435,2009-12-01T07:46,0,0,0", 'line 3: lines "0" is not a whole number of at least 1'],
		["13085,489435,2009-12-01T07:46,4,5,1", 'line 3: buy_lines "5" is more than all its lines (4)'],
		["13085,489435,2009-12-01T07:46,4,4,NaN", 'line 3: amount "NaN" is not an amount like 505.3'],
		["13085,489435,2009-12-01T07:46,4,0,9.5", 'line 3: amount "9.5" does not go with 0 buying lines'],
		["13085,489434,2009-12-01T07:46,4,4,9.5", 'line 3: invoice "489434" of customer 13085 stands in line 2 already'],
		[
			"13085,489435,2009-12-01T07:46",
			`line 3: 3 fields where 6 are expected (${ORDERS_HEADER}): "13085,489435,2009-12-01T07:46"`,
		],
	] as const) {
		it(`orders: ${bad}`, async () => {
			const file = writeRows(folder, "bad.csv", [ORDERS_HEADER, goodOrder, bad, goodOrder]);
			assert.deepEqual(await refusal(file), { code: "MALFORMED_ROW", message, exitCode: 2 });
		});
	}

	for (const [bad, message] of [
		["13085,489435,85048,1.5,6.95,2009-12-01T07:45", 'line 3: quantity "1.5" is not a whole number'],
		["13085,489435,85048,12,-6.95,2009-12-01T07:45", 'line 3: price "-6.95" is not an amount like 505.3'],
		["13085,489435,85048,12,6.95,yesterday", 'line 3: time "yesterday" is not a time like 2010-11-30T08:15'],
	] as const) {
		it(`lines: ${bad}`, async () => {
			const file = writeRows(folder, "bad.csv.gz", [LINES_HEADER, goodLine, bad, goodLine]);
			assert.deepEqual(await refusal(file), { code: "MALFORMED_ROW", message, exitCode: 2 });
		});
	}

	it("counts the line of a quote that is never closed where it opens", async () => {
		const rest = Array.from({ length: 300 }, (_, row) => `13085,${500_000 + row},2009-12-01T07:45,8,8,505.3`);
		const file = writeRows(folder, "quote.csv", [ORDERS_HEADER, goodOrder, '"13085,489435,2009-12-01', ...rest]);
		const { code, message } = await refusal(file);
		assert.equal(code, "MALFORMED_ROW");
		assert.match(message, /^line 3: not CSV/);
	});
});

describe("a file that is not the shop", () => {
	it("is refused when missing, a folder, empty, without rows, or not readable as a header", async () => {
		assert.equal((await refusal(join(folder, "nowhere.csv"))).code, "DATA_FILE_MISSING");
		assert.equal((await refusal(folder)).code, "FOREIGN_DATA_FILE");
		assert.match((await refusal(writeRows(folder, "empty.csv", []))).message, /is empty/);
		assert.match((await refusal(writeRows(folder, "header.csv", [ORDERS_HEADER]))).message, /has no rows/);
		const foreign = await refusal(writeRows(folder, "foreign.csv", ["Invoice,StockCode,Quantity", "1,2,3"]));
		assert.equal(foreign.code, "FOREIGN_DATA_FILE");
		assert.match(foreign.message, /starts with "Invoice,StockCode,Quantity"; expected .*customer,invoice,time/);
	});

	it("is refused when it is one endless line, or an Excel workbook", async () => {
		const endless = await refusal(writeRows(folder, "endless.csv", ["a".repeat(200_000)]));
		assert.match(endless.message, /has no header line/);
		const excel = join(folder, "retail.xlsx");
		writeFileSync(excel, Buffer.from("PK\u0003\u0004rest", "latin1"));
		assert.match((await refusal(excel)).message, /Excel workbook/);
	});

	it("is refused when its gzip is cut short or damaged", async () => {
		const rows = Array.from({ length: 5000 }, (_, row) => `13085,${row + 1},2009-12-01T07:45,8,8,${row + 1}.3`);
		const cut = writeRows(folder, "cut.csv.gz", [ORDERS_HEADER, ...rows]);
		truncateSync(cut, 9000);
		const { code, message } = await refusal(cut);
		assert.equal(code, "DAMAGED_DATA_FILE");
		assert.match(message, /unexpected end of file/);
		const damaged = join(folder, "damaged.csv.gz");
		writeFileSync(damaged, Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(500, 0xff)]));
		assert.equal((await refusal(damaged)).code, "DAMAGED_DATA_FILE");
	});

	it("is left alone when the signal aborts", async () => {
		const file = writeRows(folder, "abort.csv", [ORDERS_HEADER, goodOrder]);
		const { code, exitCode } = await refusal(file, AbortSignal.abort());
		assert.deepEqual({ code, exitCode }, { code: "INTERRUPTED", exitCode: 130 });
	});
});

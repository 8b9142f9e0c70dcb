import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FEATURE_NAMES, type Invoice, MONTHS, makeFeatures, parseTime } from "batching-lab/shop";
import fc from "fast-check";
import { invoice } from "./fixtures.js";

const DAY = 1440;

function minuteOf(time: string): number {
	const minute = parseTime(time);
	if (typeof minute === "string") throw new Error(minute);
	return minute;
}

/** The definition, written the slow way: for each customer and month, look at every invoice. */
function slowly(invoices: readonly Invoice[]) {
	const rows = [];
	const customers = [...new Set(invoices.map(({ customerId }) => customerId))].sort((a, b) => a - b);
	for (const customerId of customers) {
		for (const month of MONTHS.filter((label) => label >= "2010-01" && label <= "2011-11")) {
			const start = minuteOf(`${month}-01T00:00`);
			const end = minuteOf(`${MONTHS[MONTHS.indexOf(month) + 1]}-01T00:00`);
			const own = invoices.filter((one) => one.customerId === customerId);
			const before = own.filter(({ minute }) => minute < start);
			if (before.length === 0) continue;
			const bought = before.filter(({ purchase }) => purchase);
			const tenure = Math.floor((start - Math.min(...before.map(({ minute }) => minute))) / DAY);
			const recency = Math.floor((start - Math.max(...bought.map(({ minute }) => minute))) / DAY);
			const spend = bought.reduce((sum, { pence }) => sum + pence, 0) / 100;
			rows.push({
				customerId,
				month,
				split: month >= "2011-07" ? "test" : month >= "2011-04" ? "heldOut" : "fit",
				features: [
					bought.length === 0 ? tenure : recency,
					tenure,
					bought.length,
					spend,
					bought.length === 0 ? 0 : spend / bought.length,
					bought.filter(({ minute }) => minute >= start - 90 * DAY).length,
				],
				label: own.some(({ minute, purchase }) => purchase && minute >= start && minute < end) ? 1 : 0,
			});
		}
	}
	return rows;
}

function quickly(invoices: readonly Invoice[]) {
	return makeFeatures(invoices).map(({ monthIndex, ...row }) => ({ ...row, month: MONTHS[monthIndex] }));
}

function rowOf(invoices: readonly Invoice[], month: string) {
	return quickly(invoices).find((row) => row.month === month);
}

describe("makeFeatures", () => {
	it("gives the six features at the start of a month", () => {
		const row = rowOf(
			[
				invoice(7, "2011-01-31T12:00", 100),
				invoice(7, "2011-07-01T09:00", 50.5),
				invoice(7, "2011-07-20T09:00", undefined),
				invoice(7, "2011-08-31T23:59", 49.5),
			],
			"2011-09",
		);
		assert.deepEqual(FEATURE_NAMES, [
			"recency_days",
			"tenure_days",
			"orders",
			"spend_gbp",
			"mean_order_gbp",
			"orders_90d",
		]);
		assert.deepEqual(row?.features, [0, 212, 3, 200, 200 / 3, 2]);
	});

	it("starts a customer's rows in the month after the first line, and never ends them", () => {
		const months = quickly([invoice(7, "2011-08-31T23:59", 5)]).map(({ month }) => month);
		assert.deepEqual(months, ["2011-09", "2011-10", "2011-11"]);
	});

	it("counts a customer who has only cancelled so far, with the tenure as recency", () => {
		const row = rowOf([invoice(7, "2011-06-01T00:00", undefined)], "2011-07");
		assert.deepEqual(row?.features, [30, 30, 0, 0, 0, 0]);
	});

	it("labels a purchase within the month, not a cancellation, not a purchase next month", () => {
		const books = [
			invoice(7, "2011-01-05T10:00", 5),
			invoice(7, "2011-08-01T00:00", 5),
			invoice(7, "2011-09-10T10:00", undefined),
			invoice(7, "2011-11-01T00:00", 5),
		];
		const labels = Object.fromEntries(quickly(books).map(({ month, label }) => [month, label]));
		assert.equal(labels["2011-07"], 0);
		assert.equal(labels["2011-08"], 1);
		assert.equal(labels["2011-09"], 0);
		assert.equal(labels["2011-10"], 0);
		assert.equal(labels["2011-11"], 1);
	});

	it("counts an order of exactly 90 days before the month, and none that is a minute older", () => {
		assert.equal(rowOf([invoice(7, "2011-04-02T00:00", 5)], "2011-07")?.features[5], 1);
		assert.equal(rowOf([invoice(7, "2011-04-01T23:59", 5)], "2011-07")?.features[5], 0);
	});

	it("agrees with the definition on any books, in any order", () => {
		const anInvoice = fc.record({
			customerId: fc.integer({ min: 1, max: 4 }),
			minute: fc.integer({ min: 0, max: minuteOf("2011-12-31T23:59") }),
			purchase: fc.boolean(),
			pence: fc.integer({ min: 1, max: 100_000 }),
		});
		fc.assert(
			fc.property(fc.array(anInvoice, { maxLength: 40 }), (invoices) => {
				assert.deepEqual(quickly(invoices), slowly(invoices));
			}),
			{ numRuns: 60 },
		);
	});
});

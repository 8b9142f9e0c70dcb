import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { buildStore, importShop, makeFeatures, openStore } from "batching-lab/shop";
import { realDataFile, temporaryFolder } from "./fixtures.js";

const orders = realDataFile("retail-orders.csv.gz");
const lines = realDataFile("retail-lines.csv.gz");

if (orders !== undefined) {
	describe("the real orders", () => {
		it("give exactly the lesson's 26,851 test rows, a fifth of them with a purchase", async () => {
			const folder = temporaryFolder();
			const shop = await importShop(orders);
			const meta = await buildStore(shop, { dataDir: folder });
			assert.equal(meta.invoices, 44_876);
			assert.equal(meta.testRows, 26_851);
			assert.equal(meta.fitRows + meta.heldOutRows, 61_678);
			assert.equal(meta.baseRate.toFixed(4), "0.2000");
			const store = openStore(join(folder, "store.sqlite"));
			const perMonth = new Map<string, number>();
			for (const month of store.testRows().months) perMonth.set(month, (perMonth.get(month) ?? 0) + 1);
			assert.deepEqual(Object.fromEntries(perMonth), {
				"2011-07": 5106,
				"2011-08": 5208,
				"2011-09": 5314,
				"2011-10": 5501,
				"2011-11": 5722,
			});
			assert.ok(store.meta.source === "imported");
			assert.match(store.meta.attribution, /Dr Daqing Chen.*CC BY 4\.0.*10\.24432\/C5CG6D/);
			store.close();
		});

		it("would give 26,530 if only purchases counted", async () => {
			const { invoices } = await importShop(orders);
			const rows = makeFeatures(invoices.filter(({ purchase }) => purchase));
			assert.equal(rows.filter(({ split }) => split === "test").length, 26_530);
		});
	});
}

if (orders !== undefined && lines !== undefined) {
	describe("the real lines", () => {
		it("are the same shop as the orders, to the penny", async () => {
			const [fromOrders, fromLines] = [await importShop(orders), await importShop(lines)];
			assert.deepEqual(makeFeatures(fromLines.invoices), makeFeatures(fromOrders.invoices));
			assert.equal(fromLines.origin.source === "imported" && fromLines.origin.format, "lines");
			const peakMb = process.resourceUsage().maxRSS / 1024;
			assert.ok(peakMb < 1000, `the import held ${peakMb} MB`);
		});
	});
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_SHOP_SEED, makeFeatures, syntheticShop } from "batching-lab/shop";

function summary(seed: number) {
	const rows = makeFeatures(syntheticShop(seed).invoices);
	const test = rows.filter(({ split }) => split === "test");
	const bought = test.reduce((sum, { label }) => sum + label, 0);
	return { train: rows.length - test.length, test: test.length, baseRate: bought / test.length };
}

describe("syntheticShop", () => {
	for (const seed of [DEFAULT_SHOP_SEED, 2, 77]) {
		it(`has the real shop's number of customer-months with seed ${seed}`, () => {
			const { train, test, baseRate } = summary(seed);
			assert.equal(train, 61_678);
			assert.equal(test, 26_851);
			assert.ok(baseRate > 0.18 && baseRate < 0.23, `base rate ${baseRate}`);
		});
	}

	it("draws equal books from equal seeds, and others from another", () => {
		assert.deepEqual(syntheticShop(5), syntheticShop(5));
		assert.notDeepEqual(syntheticShop(5).invoices, syntheticShop(6).invoices);
	});

	it("has the example's customer, cancellations, and no entry after the books are closed", () => {
		const { invoices } = syntheticShop();
		assert.equal(new Set(invoices.map(({ customerId }) => customerId)).size, 5942);
		assert.ok(invoices.some(({ customerId }) => customerId === 13_085));
		const cancelled = invoices.filter(({ purchase }) => !purchase).length / invoices.length;
		assert.ok(cancelled > 0.1 && cancelled < 0.25, `share of cancellations ${cancelled}`);
		assert.ok(invoices.every(({ minute, pence, purchase }) => minute < 739 * 1440 && pence > 0 === purchase));
	});

	it("has customers who cancel before they ever buy, so that counting purchases alone would lose rows", () => {
		const rows = makeFeatures(syntheticShop().invoices);
		assert.ok(rows.some(({ split, features }) => split === "test" && features[2] === 0));
	});
});

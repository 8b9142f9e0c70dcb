import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import {
	buildStore,
	FEATURE_COUNT,
	MONTHS,
	makeFeatures,
	openStore,
	type Store,
	syntheticShop,
} from "batching-lab/shop";
import Database from "better-sqlite3";
import { temporaryFolder } from "./fixtures.js";

const folder = temporaryFolder();
const path = join(folder, "store.sqlite");
const shop = syntheticShop();
const made = makeFeatures(shop.invoices);

before(async () => {
	await buildStore(shop, { dataDir: folder });
});

function withStore<T>(use: (store: Store) => T): T {
	const store = openStore(path);
	try {
		return use(store);
	} finally {
		store.close();
	}
}

describe("openStore", () => {
	it("says where its rows come from, and how many there are", () => {
		withStore(({ meta }) => {
			assert.equal(meta.source, "synthetic");
			assert.equal(meta.customers, 5942);
			assert.equal(meta.fitRows + meta.heldOutRows, 61_678);
			assert.equal(meta.testRows, 26_851);
		});
	});

	it("finds every row that was made, as float64, by customer and month", () => {
		withStore((store) => {
			for (const { customerId, monthIndex, features } of made.filter((_, index) => index % 97 === 0)) {
				const month = MONTHS[monthIndex] ?? "";
				assert.deepEqual(store.lookup(customerId, month), { customerId, month, features });
			}
		});
	});

	it("takes the customer's last month where none is named", () => {
		withStore((store) => {
			assert.equal(store.lookup(13_085)?.month, "2011-11");
			assert.deepEqual(store.lookup(13_085), store.lookup(13_085, "2011-11"));
		});
	});

	it("knows no row for an unknown customer or month, and leaves the target alone then", () => {
		withStore((store) => {
			const target = new Float32Array(6).fill(7);
			for (const [customerId, month] of [
				[1, undefined],
				[13_085, "2012-01"],
				[13_085, "2011-11' OR 1 = 1 --"],
				[13_085.5, undefined],
				[Number.NaN, undefined],
			] as const) {
				assert.equal(store.lookup(customerId, month), undefined);
				assert.equal(store.lookupInto(customerId, month, target, 0), undefined);
			}
			assert.deepEqual([...target], [7, 7, 7, 7, 7, 7]);
		});
	});

	it("writes float32 features at the offset and nowhere else", () => {
		withStore((store) => {
			const { features } = store.lookup(13_085) ?? { features: [] };
			const target = new Float32Array(3 * FEATURE_COUNT).fill(-1);
			assert.equal(store.lookupInto(13_085, undefined, target, FEATURE_COUNT), "2011-11");
			assert.deepEqual([...target.subarray(0, 6)], Array(6).fill(-1));
			assert.deepEqual([...target.subarray(6, 12)], [...features].map(Math.fround));
			assert.deepEqual([...target.subarray(12)], Array(6).fill(-1));
			assert.equal(store.lookupInto(13_085, "2011-11", target, 0), "2011-11");
			assert.deepEqual(target.subarray(0, 6), target.subarray(6, 12));
		});
	});

	it("gives the splits as columns, in key order, that add up to all rows", () => {
		withStore((store) => {
			const test = store.testRows();
			const expected = made.filter(({ split }) => split === "test");
			assert.equal(test.rows, 26_851);
			assert.deepEqual(
				[...test.customerIds],
				expected.map(({ customerId }) => customerId),
			);
			assert.deepEqual(
				test.months,
				expected.map(({ monthIndex }) => MONTHS[monthIndex]),
			);
			assert.deepEqual(test.features, Float32Array.from(expected.flatMap(({ features }) => features)));
			assert.deepEqual(
				[...test.labels],
				expected.map(({ label }) => label),
			);
			const train = store.trainRows();
			assert.equal(train.rows, 61_678);
			assert.equal(store.rowsOf("fit").rows + store.rowsOf("heldOut").rows, train.rows);
			assert.ok(train.months.every((month) => month < "2011-07"));
		});
	});

	it("lets several readers have it open at once", () => {
		withStore((one) => withStore((two) => assert.deepEqual(one.lookup(13_085), two.lookup(13_085))));
	});

	it("refuses a missing file, a file that is no database, another database, and another layout", () => {
		const elsewhere = temporaryFolder();
		assert.throws(() => openStore(join(elsewhere, "store.sqlite")), { code: "STORE_MISSING" });
		const text = join(elsewhere, "text.sqlite");
		writeFileSync(text, "not a database, but long enough to be read as one".repeat(50));
		assert.throws(() => openStore(text), { code: "STORE_FOREIGN", message: /is not an SQLite file/ });
		const other = join(elsewhere, "other.sqlite");
		const database = new Database(other);
		database.exec("CREATE TABLE t (a)");
		assert.throws(() => openStore(other), { code: "STORE_FOREIGN", message: /no shop/ });
		database.pragma(`application_id = ${0x73686f70}`);
		database.pragma("user_version = 99");
		database.close();
		assert.throws(() => openStore(other), { code: "STORE_FOREIGN", message: /layout 99/ });
	});

	it("throws after close", () => {
		const store = openStore(path);
		store.close();
		assert.throws(() => store.lookup(13_085));
	});
});

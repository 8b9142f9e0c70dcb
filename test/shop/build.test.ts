import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { buildStore, openStore, readRequests, type Shop, type TaskProgress } from "batching-lab/shop";
import { invoice, temporaryFolder } from "./fixtures.js";

/** Two customers a day for two years, one of whom buys again every month. */
function smallShop(): Shop {
	const invoices = [];
	for (let customer = 1; customer <= 40; customer++) {
		for (let month = 1; month <= 11; month++) {
			const label = String(month).padStart(2, "0");
			if (customer % 2 === 0 || month % 3 === 0)
				invoices.push(
					invoice(customer, `2010-${label}-11T10:00`, 10),
					invoice(customer, `2011-${label}-11T10:00`, 7.5),
				);
		}
	}
	return { origin: { source: "synthetic", seed: 9 }, invoices };
}

function hashes(folder: string): string[] {
	return ["store.sqlite", "requests.json"].map((name) =>
		createHash("sha256")
			.update(readFileSync(join(folder, name)))
			.digest("hex"),
	);
}

describe("buildStore", () => {
	it("writes equal files from equal books, whatever the order of the invoices", async () => {
		const [one, two] = [temporaryFolder(), temporaryFolder()];
		const shop = smallShop();
		const meta = await buildStore(shop, { dataDir: one });
		await buildStore({ ...shop, invoices: [...shop.invoices].reverse() }, { dataDir: two });
		assert.deepEqual(hashes(one), hashes(two));
		assert.equal(meta.customers, 40);
		assert.equal(meta.testRows, 200);
		assert.equal(meta.baseRate, (20 * 5 + 20) / 200);
	});

	it("makes a missing folder and tells its progress", async () => {
		const folder = join(temporaryFolder(), "deep", "data");
		const events: TaskProgress[] = [];
		await buildStore(smallShop(), { dataDir: folder, onProgress: (event) => events.push(event) });
		assert.ok(existsSync(join(folder, "store.sqlite")));
		const last = events.at(-1);
		assert.ok(last !== undefined && last.done === last.total && last.total > 0);
	});

	it("keeps the old shop, whole, when the new one is incomplete or the build is interrupted", async () => {
		const folder = temporaryFolder();
		await buildStore(smallShop(), { dataDir: folder });
		const before = hashes(folder);
		const early = { ...smallShop(), invoices: [invoice(1, "2010-03-01T10:00", 5)] };
		await assert.rejects(buildStore(early, { dataDir: folder }), {
			code: "INCOMPLETE_SHOP",
			message: "the books have nobody who buys in the months 2010-01 to 2011-03",
		});
		await assert.rejects(buildStore(smallShop(), { dataDir: folder, signal: AbortSignal.abort() }), {
			code: "INTERRUPTED",
			exitCode: 130,
		});
		assert.deepEqual(hashes(folder), before);
		assert.deepEqual(readdirSync(folder).sort(), ["requests.json", "store.sqlite"]);
	});

	it("replaces a store that is open: the reader keeps the old one, the next gets the new one", async () => {
		const folder = temporaryFolder();
		await buildStore(smallShop(), { dataDir: folder });
		const path = join(folder, "store.sqlite");
		const old = openStore(path);
		const shop = smallShop();
		await buildStore(
			{ ...shop, invoices: shop.invoices.filter(({ customerId }) => customerId > 2) },
			{ dataDir: folder },
		);
		assert.ok(old.lookup(1));
		old.close();
		const fresh = openStore(path);
		assert.equal(fresh.lookup(1), undefined);
		fresh.close();
	});

	it("removes what a killed build left behind, and nothing of a living one", async () => {
		const folder = temporaryFolder();
		const gone = spawnSync(process.execPath, ["-e", ""]).pid;
		writeFileSync(join(folder, `store.sqlite.${gone}.partial`), "half");
		writeFileSync(join(folder, `store.sqlite.${process.ppid}.partial`), "in the making");
		await buildStore(smallShop(), { dataDir: folder });
		assert.deepEqual(readdirSync(folder).sort(), [
			"requests.json",
			"store.sqlite",
			`store.sqlite.${process.ppid}.partial`,
		]);
	});
});

describe("readRequests", () => {
	it("gives as many requests as were asked for, each of a test row, the last month sometimes unnamed", async () => {
		const folder = temporaryFolder();
		await buildStore(smallShop(), { dataDir: folder, requests: { seed: 3, count: 500 } });
		const requests = readRequests(join(folder, "requests.json"));
		assert.equal(requests.length, 500);
		const store = openStore(join(folder, "store.sqlite"));
		let unnamed = 0;
		for (const { customerId, month, body } of requests) {
			assert.ok(month >= "2011-07" && month <= "2011-11");
			const sent: unknown = JSON.parse(body);
			const named = body.includes("month");
			assert.deepEqual(sent, named ? { customerId, month } : { customerId });
			assert.equal(store.lookup(customerId, named ? month : undefined)?.month, month);
			if (!named) unnamed++;
		}
		store.close();
		// 200 rows, drawn without putting back: each two or three times.
		const times = new Map<string, number>();
		for (const { customerId, month } of requests)
			times.set(`${customerId} ${month}`, (times.get(`${customerId} ${month}`) ?? 0) + 1);
		assert.deepEqual([...new Set(times.values())].sort(), [2, 3]);
		assert.ok(unnamed > 20 && unnamed < 80, `${unnamed} of about 100 requests for the last month leave it out`);
	});

	it("draws other requests from another seed", async () => {
		const [one, two] = [temporaryFolder(), temporaryFolder()];
		await buildStore(smallShop(), { dataDir: one, requests: { seed: 1, count: 50 } });
		await buildStore(smallShop(), { dataDir: two, requests: { seed: 2, count: 50 } });
		assert.notDeepEqual(readRequests(join(one, "requests.json")), readRequests(join(two, "requests.json")));
	});

	it("says what is wrong with a missing or foreign list", () => {
		const folder = temporaryFolder();
		assert.throws(() => readRequests(join(folder, "requests.json")), { code: "REQUESTS_MISSING" });
		writeFileSync(join(folder, "requests.json"), '{"format":1,"seed":1,"requests":[[1,"July",1]]}');
		assert.throws(() => readRequests(join(folder, "requests.json")), { code: "REQUESTS_FOREIGN" });
		writeFileSync(join(folder, "requests.json"), "half a fi");
		assert.throws(() => readRequests(join(folder, "requests.json")), { code: "REQUESTS_FOREIGN" });
	});
});

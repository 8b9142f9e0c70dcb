import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { CodedError } from "../base/index.js";
import { MONTHS } from "./calendar.js";
import { type FeatureRow, makeFeatures } from "./features.js";
import { partialFile } from "./replace.js";
import { drawRequests, type RequestDraw } from "./requests.js";
import {
	CREATE_TABLES,
	REQUESTS_FILE,
	RETAIL_ATTRIBUTION,
	STORE_APPLICATION,
	STORE_FILE,
	STORE_FORMAT,
	type StoreMeta,
	type StoreTotals,
} from "./schema.js";
import { FEATURE_NAMES, type Shop, type ShopOrigin, type TaskOptions } from "./types.js";

export interface BuildStoreOptions extends TaskOptions {
	/** Folder that gets `store.sqlite` and `requests.json`; made where it is missing. */
	readonly dataDir: string;
	/** The request list: how many, and from which seed. @default { seed: 1, count: 20_000 } */
	readonly requests?: RequestDraw;
}

/** Rows between two looks at the signal. */
const ROWS_A_TURN = 8192;

function totalsOf(shop: Shop, rows: readonly FeatureRow[]): StoreTotals {
	const test = rows.filter((row) => row.split === "test");
	return {
		invoices: shop.invoices.length,
		customers: new Set(shop.invoices.map((invoice) => invoice.customerId)).size,
		fitRows: rows.filter((row) => row.split === "fit").length,
		heldOutRows: rows.filter((row) => row.split === "heldOut").length,
		testRows: test.length,
		baseRate: test.reduce((sum, row) => sum + row.label, 0) / test.length,
	};
}

function metaOf(origin: ShopOrigin, totals: StoreTotals): StoreMeta {
	return origin.source === "synthetic"
		? { ...origin, ...totals }
		: { ...origin, attribution: RETAIL_ATTRIBUTION, ...totals };
}

/** Both labels in every split, or there is nothing to learn, to stop by, or to ask for. */
function checkSplits(rows: readonly FeatureRow[]): void {
	for (const [split, months] of [
		["fit", "2010-01 to 2011-03"],
		["heldOut", "2011-04 to 2011-06"],
		["test", "2011-07 to 2011-11"],
	] as const) {
		const labels = new Set(rows.filter((row) => row.split === split).map((row) => row.label));
		if (labels.size === 2) continue;
		const lacks =
			labels.size === 0 ? "no customer at all" : labels.has(0) ? "nobody who buys" : "nobody who stays away";
		throw new CodedError("INCOMPLETE_SHOP", `the books have ${lacks} in the months ${months}`, {
			hint: "is the file cut short? The shop in use is unchanged",
		});
	}
}

function interrupted(): CodedError {
	return new CodedError("INTERRUPTED", "the build of the store was interrupted; the shop in use is unchanged", {
		exitCode: 130,
	});
}

/** Writes the database: rows in key order, nothing of the moment, so that equal rows give an equal file. */
async function writeDatabase(
	path: string,
	rows: readonly FeatureRow[],
	meta: StoreMeta,
	{ onProgress, signal }: TaskOptions,
): Promise<void> {
	const database = new Database(path);
	try {
		// The file is thrown away on any failure, so it needs no journal; it is synced before it takes its place.
		database.pragma("journal_mode = OFF");
		database.pragma("synchronous = OFF");
		database.pragma("page_size = 4096");
		database.pragma(`application_id = ${STORE_APPLICATION}`);
		database.pragma(`user_version = ${STORE_FORMAT}`);
		database.exec(CREATE_TABLES);
		database.exec("BEGIN");
		const insert = database.prepare(
			`INSERT INTO customer_month VALUES (?, ?, ${FEATURE_NAMES.map(() => "?").join(", ")}, ?, ?)`,
		);
		for (const [index, { customerId, monthIndex, features, label, split }] of rows.entries()) {
			if (index % ROWS_A_TURN === 0) {
				onProgress?.({ done: index, total: rows.length, text: "writing the store" });
				await nextTurn();
				if (signal?.aborted) throw interrupted();
			}
			insert.run(customerId, MONTHS[monthIndex], ...features, label, split);
		}
		const put = database.prepare("INSERT INTO meta VALUES (?, ?)");
		for (const [key, value] of Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1)))
			put.run(key, JSON.stringify(value));
		database.exec("COMMIT");
		database.exec("VACUUM");
	} finally {
		database.close();
	}
	onProgress?.({ done: rows.length, total: rows.length, text: "writing the store" });
}

/** The request list of a shop: drawn from its test rows. */
function requestText(rows: readonly FeatureRow[], draw: RequestDraw): string {
	const test = rows.filter((row) => row.split === "test");
	const asked = test.map(({ customerId, monthIndex }, index) => ({
		customerId,
		month: MONTHS[monthIndex] ?? "",
		// Rows come by customer, then month: the last one of a customer is followed by another customer.
		last: test[index + 1]?.customerId !== customerId,
	}));
	return drawRequests(asked, draw);
}

/**
 * Makes `store.sqlite` and `requests.json` from a shop's books. Equal books give equal files, byte for byte, on one
 * machine. The old files stay until both new ones are complete; on any failure they are as they were.
 *
 * @throws {CodedError} `INCOMPLETE_SHOP` where a split lacks rows, `INTERRUPTED`.
 */
export async function buildStore(
	shop: Shop,
	{ dataDir, requests = { seed: 1, count: 20_000 }, ...task }: BuildStoreOptions,
): Promise<StoreMeta> {
	const rows = makeFeatures(shop.invoices);
	checkSplits(rows);
	const meta = metaOf(shop.origin, totalsOf(shop, rows));
	mkdirSync(dataDir, { recursive: true });
	const store = partialFile(join(dataDir, STORE_FILE));
	const list = partialFile(join(dataDir, REQUESTS_FILE));
	try {
		await writeDatabase(store.path, rows, meta, task);
		writeFileSync(list.path, requestText(rows, requests));
		if (task.signal?.aborted) throw interrupted();
		store.commit();
		list.commit();
	} finally {
		store.discard();
		list.discard();
	}
	return meta;
}

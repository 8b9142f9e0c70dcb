import Database from "better-sqlite3";
import { CodedError, hasCode } from "../base/index.js";
import { SPLITS, type Split } from "./calendar.js";
import { STORE_APPLICATION, STORE_FORMAT, type StoreMeta, storeMetaSchema } from "./schema.js";
import { type CustomerMonth, FEATURE_COUNT, FEATURE_NAMES, type RowSet } from "./types.js";

/** The shop's customer-months, read-only. */
export interface Store {
	readonly meta: StoreMeta;
	/** Version of the SQLite library that reads it, `3.53.0`. */
	readonly sqliteVersion: string;
	/** One customer-month; without `month` the customer's last one. Undefined where there is none. */
	lookup(customerId: number, month?: string): CustomerMonth | undefined;
	/**
	 * The same for the service's hot path: writes the six features to `target[offset … offset + 5]` and gives the
	 * month used, or undefined – then nothing was written. Synchronous, a few µs.
	 */
	lookupInto(customerId: number, month: string | undefined, target: Float32Array, offset: number): string | undefined;
	/** All rows of some splits, by customer, then month. */
	rowsOf(...splits: readonly Split[]): RowSet;
	/** The 61,678 customer-months before 2011-07, the held-out ones among them. */
	trainRows(): RowSet;
	/** The 26,851 customer-months from 2011-07 on. */
	testRows(): RowSet;
	/** Closes the file; a later look-up throws. */
	close(): void;
}

type FeatureValues = readonly [number, number, number, number, number, number];
type StoredRow = readonly [customerId: number, month: string, label: number, ...features: FeatureValues];

const COLUMNS = FEATURE_NAMES.join(", ");
const REBUILD = "workbook data reset builds the synthetic shop, workbook data import FILE the real one";

function openDatabase(path: string): Database.Database {
	try {
		return new Database(path, { readonly: true, fileMustExist: true });
	} catch (error) {
		if (hasCode(error) && error.code === "SQLITE_CANTOPEN")
			throw new CodedError("STORE_MISSING", `no store at ${path}`, { hint: REBUILD, cause: error });
		throw error;
	}
}

function readMeta(database: Database.Database, path: string): StoreMeta {
	const foreign = (what: string, cause?: unknown) =>
		new CodedError("STORE_FOREIGN", `${path} ${what}`, { hint: REBUILD, cause });
	let application: unknown;
	try {
		application = database.pragma("application_id", { simple: true });
	} catch (error) {
		throw foreign("is not an SQLite file", error);
	}
	if (application !== STORE_APPLICATION) throw foreign("is an SQLite file, but no shop");
	const format = database.pragma("user_version", { simple: true });
	if (format !== STORE_FORMAT) throw foreign(`has layout ${format}; this version reads layout ${STORE_FORMAT}`);
	const entries = database.prepare<[], { key: string; value: string }>("SELECT key, value FROM meta").all();
	const parsed = storeMetaSchema.safeParse(
		Object.fromEntries(entries.map(({ key, value }): [string, unknown] => [key, JSON.parse(value)])),
	);
	if (!parsed.success) throw foreign("does not say what it holds", parsed.error);
	return parsed.data;
}

function toRowSet(stored: readonly StoredRow[]): RowSet {
	const features = new Float32Array(stored.length * FEATURE_COUNT);
	for (const [index, [, , , ...values]] of stored.entries()) features.set(values, index * FEATURE_COUNT);
	return {
		rows: stored.length,
		customerIds: Int32Array.from(stored, ([customerId]) => customerId),
		months: stored.map(([, month]) => month),
		features,
		labels: Uint8Array.from(stored, ([, , label]) => label),
	};
}

/**
 * Opens `store.sqlite`.
 *
 * @throws {CodedError} `STORE_MISSING`, `STORE_FOREIGN`
 *
 * @example
 * const store = openStore("data/store.sqlite");
 * store.lookup(13085)?.month; // "2011-11"
 */
export function openStore(path: string): Store {
	const database = openDatabase(path);
	let meta: StoreMeta;
	try {
		meta = readMeta(database, path);
		// One shared lock for as long as the store is open, instead of two system calls a look-up.
		database.pragma("locking_mode = EXCLUSIVE");
	} catch (error) {
		database.close();
		throw error;
	}
	const one = database
		.prepare<[number, string], FeatureValues>(
			`SELECT ${COLUMNS} FROM customer_month WHERE customer_id = ? AND month = ?`,
		)
		.raw();
	const last = database
		.prepare<[number], readonly [...FeatureValues, month: string]>(
			`SELECT ${COLUMNS}, month FROM customer_month WHERE customer_id = ? ORDER BY month DESC LIMIT 1`,
		)
		.raw();
	const rows = database
		.prepare<Split[], StoredRow>(
			`SELECT customer_id, month, label, ${COLUMNS} FROM customer_month
			WHERE split IN (${SPLITS.map(() => "?").join(", ")}) ORDER BY customer_id, month`,
		)
		.raw();

	const sqliteVersion = database.prepare<[], string>("SELECT sqlite_version()").pluck().get() ?? "";

	const rowsOf = (...splits: readonly Split[]): RowSet => {
		const [first] = splits;
		if (first === undefined) throw new RangeError(`rowsOf needs a split: ${SPLITS.join(", ")}`);
		return toRowSet(rows.all(...SPLITS.map((_, index) => splits[index] ?? first)));
	};

	return {
		meta,
		sqliteVersion,
		lookup(customerId, month) {
			if (month === undefined) {
				const row = last.get(customerId);
				if (row === undefined) return undefined;
				const [a, b, c, d, e, f, lastMonth] = row;
				return { customerId, month: lastMonth, features: [a, b, c, d, e, f] };
			}
			const features = one.get(customerId, month);
			return features === undefined ? undefined : { customerId, month, features };
		},
		lookupInto(customerId, month, target, offset) {
			if (month === undefined) {
				const row = last.get(customerId);
				if (row === undefined) return undefined;
				for (let index = 0; index < FEATURE_COUNT; index++) target[offset + index] = Number(row[index]);
				return row[FEATURE_COUNT];
			}
			const row = one.get(customerId, month);
			if (row === undefined) return undefined;
			for (let index = 0; index < FEATURE_COUNT; index++) target[offset + index] = row[index] ?? Number.NaN;
			return month;
		},
		rowsOf,
		trainRows: () => rowsOf("fit", "heldOut"),
		testRows: () => rowsOf("test"),
		close: () => database.close(),
	};
}

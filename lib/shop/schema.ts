import { z } from "zod";
import { SPLITS } from "./calendar.js";
import { FEATURE_NAMES } from "./types.js";

/** Names of the two files in the data folder. */
export const STORE_FILE = "store.sqlite";
export const REQUESTS_FILE = "requests.json";

/** Kept in SQLite's `user_version`; another number is another layout. */
export const STORE_FORMAT = 1;
/** SQLite's `application_id`: "shop" in ASCII. */
export const STORE_APPLICATION = 0x73686f70;

/** Who made the real data, as its licence asks to say. */
export const RETAIL_ATTRIBUTION = "Online Retail II, Dr Daqing Chen, UCI, CC BY 4.0, DOI 10.24432/C5CG6D";

/** What the whole extract holds; an import that gives less has lost something on its way. */
export const WHOLE_RETAIL = { invoices: 44_876, customers: 5942, trainRows: 61_678, testRows: 26_851 } as const;

/** One table, its rows in the order of their key, so a look-up is one descent of one B-tree. */
export const CREATE_TABLES = `
	CREATE TABLE customer_month (
		customer_id INTEGER NOT NULL,
		month TEXT NOT NULL,
		${FEATURE_NAMES.map((name) => `${name} REAL NOT NULL`).join(",\n\t\t")},
		label INTEGER NOT NULL,
		split TEXT NOT NULL CHECK (split IN (${SPLITS.map((split) => `'${split}'`).join(", ")})),
		PRIMARY KEY (customer_id, month)
	) WITHOUT ROWID;
	CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

const count = z.number().int().nonnegative();

const totals = {
	invoices: count,
	customers: count,
	fitRows: count,
	heldOutRows: count,
	testRows: count,
	/** Share of test rows whose customer bought. */
	baseRate: z.number(),
};

/** What the store says of itself; JSON in the table `meta`, one row a key. */
export const storeMetaSchema = z.discriminatedUnion("source", [
	z.object({ source: z.literal("synthetic"), seed: z.number().int(), ...totals }),
	z.object({
		source: z.literal("imported"),
		format: z.enum(["orders", "lines"]),
		/** SHA-256 of the imported file. */
		sha256: z.string(),
		attribution: z.string(),
		...totals,
	}),
]);

/** The totals of a store. */
export interface StoreTotals {
	readonly invoices: number;
	readonly customers: number;
	readonly fitRows: number;
	readonly heldOutRows: number;
	readonly testRows: number;
	/** Share of test rows whose customer bought within the month. */
	readonly baseRate: number;
}

/** Source and totals of a store: synthetic with its seed, or imported with the file's hash and the attribution. */
export type StoreMeta = StoreTotals &
	(
		| { readonly source: "synthetic"; readonly seed: number }
		| {
				readonly source: "imported";
				readonly format: "orders" | "lines";
				readonly sha256: string;
				readonly attribution: string;
		  }
	);

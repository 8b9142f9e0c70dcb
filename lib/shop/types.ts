/** One invoice of the shop: a purchase, or a cancellation (then nothing is bought and nothing earned). */
export interface Invoice {
	readonly customerId: number;
	/** Minutes since 2009-12-01T00:00 on the shop's clock. */
	readonly minute: number;
	/** At least one line buys something: positive quantity and price, and no cancellation. */
	readonly purchase: boolean;
	/** What the buying lines cost together, pence. */
	readonly pence: number;
}

/** Where the invoices came from; written into the store, so that no number is ever told without it. */
export type ShopOrigin =
	| { readonly source: "synthetic"; readonly seed: number }
	| {
			readonly source: "imported";
			/** Which of the two compact files it was. */
			readonly format: "orders" | "lines";
			/** SHA-256 of the file's bytes as they were read. */
			readonly sha256: string;
	  };

/** A shop's books. The order of the invoices carries no meaning. */
export interface Shop {
	readonly origin: ShopOrigin;
	readonly invoices: readonly Invoice[];
}

/** The six features, in the order in which every model takes them. */
export const FEATURE_NAMES = [
	"recency_days",
	"tenure_days",
	"orders",
	"spend_gbp",
	"mean_order_gbp",
	"orders_90d",
] as const;
export const FEATURE_COUNT = FEATURE_NAMES.length;

/** One customer at the start of one month. */
export interface CustomerMonth {
	readonly customerId: number;
	/** `YYYY-MM` */
	readonly month: string;
	/** In the order of FEATURE_NAMES. */
	readonly features: readonly number[];
}

/** Many customer-months as columns, ordered by customer, then month. */
export interface RowSet {
	readonly rows: number;
	readonly customerIds: Int32Array;
	/** `YYYY-MM` a row. */
	readonly months: readonly string[];
	/** rows × 6, row-major; the float32 values that the models see. */
	readonly features: Float32Array;
	/** 1 = the customer bought within the month. */
	readonly labels: Uint8Array;
}

/** What a long task tells the person waiting for it. */
export interface TaskProgress {
	readonly done: number;
	readonly total: number;
	readonly text: string;
}

export interface TaskOptions {
	readonly onProgress?: (event: TaskProgress) => void;
	/** Aborting rejects with `INTERRUPTED`; nothing on disk has changed then. */
	readonly signal?: AbortSignal;
}

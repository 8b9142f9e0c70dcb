import type { BatcherStats } from "../batcher/index.js";
import type { Exchange } from "./exchange.js";
import type { Row } from "./row.js";

/** How a setting turns rows into answers. Exactly one of `exchange.answer…` and `exchange.fail` follows. */
export interface Scorer {
	one(row: Row, exchange: Exchange): void;
	many(rows: readonly Row[], exchange: Exchange): void;
	/** Only with a batcher. */
	readonly batcherStats: (() => BatcherStats) | undefined;
	/** What waits leaves now, without waiting for company. */
	flush(): void;
	/** Refuses what comes from now on; resolves when every accepted row has its answer. */
	close(): Promise<void>;
}

import type {
	BatchColumns,
	BitCheckRow,
	DesignRow,
	EnvironmentRow,
	FinishedRun,
	GuessRow,
	ModelAloneRow,
	ModelRow,
	NoteRow,
	RequestColumns,
	StampColumns,
	StartRow,
} from "../record/index.js";
import type { Histogram } from "../stats/index.js";

/** Everything that a finished run left behind, request by request. */
export interface RawRun {
	readonly requests: RequestColumns;
	/** Empty columns without a batcher. */
	readonly batches: BatchColumns;
	/** Only in the round that keeps them. */
	readonly stamps: StampColumns | undefined;
	/** The single-row score of every entry of the request list, float32 bits; undefined where there is nothing to compare. */
	readonly singleBits: Uint32Array | undefined;
}

/** What a summarised record keeps of a run in place of its columns. */
export interface RunSummary {
	/** Latencies of the answered requests, ns. */
	readonly latencyNs: Histogram;
	/** The numbers of this run that need its columns, as they were computed from them. */
	readonly numbers: Readonly<Record<string, number>>;
}

/** The rows of a record that a report reads besides the runs' columns. */
export interface RecordFacts {
	readonly starts: readonly StartRow[];
	readonly designs: readonly DesignRow[];
	readonly guesses: readonly GuessRow[];
	readonly environments: readonly EnvironmentRow[];
	readonly models: readonly ModelRow[];
	readonly modelAlone: readonly ModelAloneRow[];
	readonly bitChecks: readonly BitCheckRow[];
	readonly notes: readonly NoteRow[];
	/** The runs that count: the last finished attempt of every slot, in the order in which they were made. */
	readonly runs: readonly FinishedRun[];
	/** Rows that do not count: half-written, failed, interrupted, superseded. */
	readonly otherRuns: number;
}

/**
 * Where a report's numbers come from. `raw` reads one run's columns, so that a report never holds more than one run in
 * memory; of a summarised record there is only `summary`.
 */
export interface ReportSource {
	/** As the reader named it. */
	readonly path: string;
	readonly facts: RecordFacts;
	readonly raw: ((run: FinishedRun) => RawRun) | null;
	readonly summary: ((run: FinishedRun) => RunSummary) | null;
	close(): void;
}

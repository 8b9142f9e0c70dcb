import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { CodedError } from "../base/index.js";
import type { FinishedRun } from "../record/index.js";
import { type Histogram, histogramOf } from "../stats/index.js";
import { firstNumbersOf, latenciesOf } from "./first/run.js";
import type { RecordFacts, ReportSource, RunSummary } from "./source.js";

/** A record without its request columns, small enough to be kept beside the code. */
export const SUMMARISED_FILE = "lab-summary.json.gz";
const FORMAT = "batching-lab summarised record";
const VERSION = 1;

interface StoredSummary {
	readonly bins: readonly number[];
	readonly counts: readonly number[];
	readonly count: number;
	readonly sum: number;
	readonly min: number | null;
	readonly max: number | null;
	readonly numbers: Readonly<Record<string, number>>;
}

interface Stored {
	readonly format: string;
	readonly version: number;
	readonly facts: RecordFacts;
	readonly runs: Readonly<Record<string, StoredSummary>>;
}

/** bigint has no place in JSON; only a run's epoch is one. */
function withText(_: string, value: unknown): unknown {
	return typeof value === "bigint" ? `${value}n` : value;
}

function withBigint(_: string, value: unknown): unknown {
	return typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
}

function isStored(value: unknown): value is Stored {
	return (
		typeof value === "object" &&
		value !== null &&
		"format" in value &&
		value.format === FORMAT &&
		"facts" in value &&
		"runs" in value
	);
}

function summaryOf(source: ReportSource, run: FinishedRun): StoredSummary {
	if (source.raw === null) {
		throw new CodedError(
			"ALREADY_SUMMARISED",
			`${source.path} holds no request columns any more, so it cannot be summarised`,
		);
	}
	const raw = source.raw(run);
	const { bins, counts, count, sum, min, max } = histogramOf(
		latenciesOf(raw.requests).filter((ns) => !Number.isNaN(ns)),
	);
	// What the lab wrote down stands in the run's own row; nothing is kept twice.
	const numbers = [...firstNumbersOf(run, raw)].filter(([name]) => !(name in run.summary));
	const ends = count === 0 ? { min: null, max: null } : { min, max };
	return {
		bins: [...bins],
		counts: [...counts],
		count,
		sum,
		...ends,
		numbers: Object.fromEntries(numbers),
	};
}

/**
 * Writes a summarised copy of a record: all its rows, and in place of each run's columns a histogram of its latencies
 * (bins 0.1 % wide) and the numbers that needed the columns. A hundredth of the size; a report says at each number
 * that it comes from such a copy.
 */
export function writeSummarised(source: ReportSource, path: string): void {
	const runs = Object.fromEntries(source.facts.runs.map((run) => [run.id, summaryOf(source, run)]));
	const stored: Stored = { format: FORMAT, version: VERSION, facts: source.facts, runs };
	writeFileSync(path, gzipSync(JSON.stringify(stored, withText), { level: 9 }));
}

function toHistogram({ bins, counts, count, sum, min, max }: StoredSummary): Histogram {
	return {
		bins: Int32Array.from(bins),
		counts: Uint32Array.from(counts),
		count,
		sum,
		min: min ?? Number.NaN,
		max: max ?? Number.NaN,
	};
}

/** @throws {CodedError} `NOT_A_RECORD` for another kind of file, `RECORD_VERSION` for another version. */
export function readSummarised(path: string): ReportSource {
	let stored: unknown;
	try {
		stored = JSON.parse(gunzipSync(readFileSync(path)).toString("utf8"), withBigint);
	} catch (cause) {
		throw new CodedError("NOT_A_RECORD", `${path} is no summarised record`, { cause });
	}
	if (!isStored(stored)) throw new CodedError("NOT_A_RECORD", `${path} is no summarised record of this laboratory`);
	if (stored.version !== VERSION) {
		throw new CodedError("RECORD_VERSION", `${path} has version ${stored.version}; this code reads version ${VERSION}`);
	}
	const { facts, runs } = stored;
	const summary = (run: FinishedRun): RunSummary => {
		const found = runs[run.id];
		if (found === undefined) throw new CodedError("NOT_A_RECORD", `${path} has no summary of run ${run.id}`);
		return { latencyNs: toHistogram(found), numbers: found.numbers };
	};
	return { path, facts, raw: null, summary, close: () => {} };
}

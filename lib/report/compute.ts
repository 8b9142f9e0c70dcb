import type { FinishedRun } from "../record/index.js";
import { histogramPercentile } from "../stats/index.js";
import { firstDerived } from "./first/derived.js";
import { firstNumbersOf } from "./first/run.js";
import { type Difference, differencesOf, type Numbers, PERCENTS, refuseDifferences } from "./numbers.js";
import { secondDerived } from "./second/derived.js";
import { secondNumbersOf } from "./second/run.js";
import type { ReportSource } from "./source.js";

/** Every number of a record, each computed twice. */
export interface Computed {
	/** By key: `sweep/gbt/b32w0/x0.5/p99Ms`, … */
	readonly numbers: Numbers;
	/** By run id and name: `p99Ms`, `meanBatch`, … */
	readonly runs: ReadonlyMap<number, Numbers>;
	/** How many numbers two computations agreed on. */
	readonly checked: number;
	/** True: from a summarised copy, so percentiles were checked against bins 0.1 % wide and the rest taken as stored. */
	readonly summarised: boolean;
}

export interface ComputeOptions {
	readonly onProgress?: (event: { readonly done: number; readonly total: number; readonly text: string }) => void;
}

/** Half a bin of a summarised copy's histogram; only percentiles are read from its bins. */
const BIN_TOLERANCE = 0.00051;
const FROM_BINS = new Set<string>(PERCENTS.map(([name]) => name));

interface RunResult {
	readonly first: Numbers;
	readonly second: Numbers;
	/** The second percentiles come from bins. */
	readonly binned: boolean;
}

function unequal({ first, second, binned }: RunResult): Difference[] {
	const exact = differencesOf(first, second);
	if (!binned) return exact;
	const rough = new Set(differencesOf(first, second, BIN_TOLERANCE).map(({ key }) => key));
	return exact.filter(({ key }) => rough.has(key) || !FROM_BINS.has(key));
}

function ofSummary(source: ReportSource, run: FinishedRun): RunResult {
	const stored = source.summary?.(run);
	const first = new Map(Object.entries(stored?.numbers ?? {}));
	for (const [name, value] of Object.entries(run.summary)) if (value !== null) first.set(name, Number(value));
	const second = new Map(first);
	for (const [name, percent] of PERCENTS) {
		const ns = stored === undefined ? null : histogramPercentile(stored.latencyNs, percent);
		if (ns === null) second.delete(name);
		else second.set(name, ns / 1e6);
	}
	if (stored !== undefined) second.set("answered", stored.latencyNs.count);
	if (first.has("meanMs") && stored !== undefined)
		second.set("meanMs", stored.latencyNs.sum / stored.latencyNs.count / 1e6);
	return { first, second, binned: true };
}

function ofColumns(source: ReportSource, run: FinishedRun): RunResult {
	const raw = source.raw?.(run);
	if (raw === undefined) return ofSummary(source, run);
	return { first: firstNumbersOf(run, raw), second: secondNumbersOf(run, raw), binned: false };
}

/**
 * Computes every number of a record twice and compares: the numbers of each run (what the lab wrote down against the
 * report's own arithmetic on the raw columns), then everything derived from them (`batching-lab/stats` against the same
 * arithmetic). One run's columns are in memory at a time.
 *
 * @throws {CodedError} `REPORT_DIFFERS`, exit code 1, when one number differs. Nothing is reported then.
 */
export function computeNumbers(source: ReportSource, { onProgress }: ComputeOptions = {}): Computed {
	const { runs } = source.facts;
	const [first, second] = [new Map<number, Numbers>(), new Map<number, Numbers>()];
	const differences: Difference[] = [];
	let checked = 0;
	runs.forEach((run, done) => {
		onProgress?.({ done, total: runs.length, text: "computing every number a second time" });
		const result = ofColumns(source, run);
		for (const { key, ...values } of unequal(result)) {
			differences.push({ key: `run/${run.id}/${key}`, ...values });
		}
		checked += result.first.size;
		first.set(run.id, result.first);
		// A summarised copy's bins are too coarse to subtract from each other; its stored numbers are derived from twice.
		second.set(run.id, source.raw === null ? result.first : result.second);
	});
	refuseDifferences(differences, source.path);
	const numbers = firstDerived(source.facts, first);
	refuseDifferences(differencesOf(numbers, secondDerived(source.facts, second)), source.path);
	return { numbers, runs: first, checked: checked + numbers.size, summarised: source.raw === null };
}

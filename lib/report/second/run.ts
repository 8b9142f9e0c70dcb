import type { FinishedRun } from "../../record/index.js";
import { type Numbers, NumberTable } from "../numbers.js";
import type { RawRun } from "../source.js";
import { ascending, valueAt } from "./arithmetic.js";
import { batches, stages } from "./run-batches.js";
import { countsAndBits, type Stays, staysOf } from "./run-outcomes.js";
import { clumping, growing, inside, slowest, speeds } from "./run-queue.js";

const NAMES = [
	["p50Ms", 50],
	["p90Ms", 90],
	["p95Ms", 95],
	["p98Ms", 98],
	["p99Ms", 99],
	["p999Ms", 99.9],
] as const;

function latencies(table: NumberTable, run: FinishedRun, raw: RawRun, { due, done }: Stays): Float64Array {
	const sorted = new Float64Array(done.length);
	let last = run.seconds * 1e9;
	for (let i = 0; i < done.length; i++) {
		const at = done[i] ?? Number.NaN;
		sorted[i] = at - (due[i] ?? Number.NaN);
		if (at > last) last = at;
	}
	sorted.sort();
	for (const [name, percent] of NAMES) {
		const value = valueAt(sorted, percent);
		if (value !== undefined) table.put(name, value / 1e6);
	}
	const answeredPerSecond = (1e9 * done.length) / last;
	table.put("answeredPerSecond", answeredPerSecond);
	if (run.kind === "open") {
		const offered = raw.requests.outcome.length / run.seconds;
		table.put("offeredPerSecond", offered);
		table.put("keepsUp", answeredPerSecond >= 0.95 * offered ? 1 : 0);
	}
	return sorted;
}

/** The numbers of one run from its columns alone. */
export function secondNumbersOf(run: FinishedRun, raw: RawRun): Numbers {
	const table = new NumberTable();
	countsAndBits(table, raw);
	const stays = staysOf(raw);
	const sorted = latencies(table, run, raw, stays);
	batches(table, run, raw);
	stages(table, raw);
	if (run.kind !== "open") return table.numbers;
	table.put("growing", growing(run, raw) ? 1 : 0);
	const { sentNs, scheduledNs } = raw.requests;
	const late = valueAt(ascending(sentNs.map((at, i) => at - (scheduledNs[i] ?? 0))), 99);
	if (late !== undefined) table.put("latenessP99Ms", late / 1e6);
	if (stays.done.length === 0) return table.numbers;
	clumping(table, raw, sorted);
	slowest(table, stays, sorted);
	speeds(table, run, raw);
	inside(table, run, raw, stays);
	return table.numbers;
}

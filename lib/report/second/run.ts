import type { FinishedRun } from "../../record/index.js";
import { type Numbers, NumberTable } from "../numbers.js";
import type { RawRun } from "../source.js";
import { ascending, valueAt, Window } from "./arithmetic.js";

/** Codes of the columns, as the record's own documentation gives them. */
const OUTCOME = { answered: 0, failed: 1, timedOut: 2, unsent: 3 };
const REASON = { full: 0, timer: 1, idle: 2, deadline: 3, drain: 4 };

/** A float32's bits as a place on the number line: neighbours differ by 1, across zero too. */
function place(bits: number): number {
	return bits >= 0x80000000 ? 0x80000000 - bits : bits;
}

function countsAndBits(table: NumberTable, { requests, singleBits }: RawRun): void {
	const found = { answered: 0, failed: 0, timedOut: 0, unsent: 0, differing: 0, maxUlp: 0, inBatches: 0 };
	for (let i = 0; i < requests.outcome.length; i++) {
		const outcome = requests.outcome[i];
		if (outcome === OUTCOME.failed) found.failed++;
		if (outcome === OUTCOME.timedOut) found.timedOut++;
		if (outcome === OUTCOME.unsent) found.unsent++;
		if (outcome !== OUTCOME.answered) continue;
		found.answered++;
		if ((requests.batchSize[i] ?? 0) > 1) found.inBatches++;
		const single = singleBits?.[requests.bodyIndex[i] ?? -1];
		const answered = requests.scoreBits[i];
		if (single === undefined || answered === undefined || single === answered) continue;
		const steps = Math.abs(place(single) - place(answered));
		if (steps === 0) continue;
		found.differing++;
		if (steps > found.maxUlp) found.maxUlp = steps;
	}
	table.put("scheduled", requests.outcome.length);
	for (const [name, value] of Object.entries(found)) table.put(name, value);
}

/** The answered requests, in scheduled order. */
interface Stays {
	readonly due: Float64Array;
	readonly done: Float64Array;
}

function staysOf({ requests }: RawRun): Stays {
	let count = 0;
	for (const outcome of requests.outcome) if (outcome === OUTCOME.answered) count++;
	const stays = { due: new Float64Array(count), done: new Float64Array(count) };
	for (let i = 0, at = 0; i < requests.outcome.length; i++) {
		if (requests.outcome[i] !== OUTCOME.answered) continue;
		stays.due[at] = requests.scheduledNs[i] ?? Number.NaN;
		stays.done[at++] = requests.receivedNs[i] ?? Number.NaN;
	}
	return stays;
}

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

function batches(table: NumberTable, run: FinishedRun, raw: RawRun): void {
	const { size, reason, waitNs, modelNs } = raw.batches;
	if (size.length === 0) return;
	let rows = 0;
	let model = 0;
	const left = new Map<number, number>();
	const waits: number[] = [];
	let timed = 0;
	let early = 0;
	const asked = Number(/w([\d.]+)$/.exec(run.setting)?.[1] ?? 0) * 1e6;
	for (let i = 0; i < size.length; i++) {
		rows += size[i] ?? 0;
		model += modelNs[i] ?? 0;
		const why = reason[i] ?? -1;
		left.set(why, (left.get(why) ?? 0) + 1);
		const wait = waitNs[i] ?? Number.NaN;
		if (why === REASON.timer || why === REASON.idle) waits.push(wait);
		if (why === REASON.timer) {
			timed++;
			if (wait < asked) early++;
		}
	}
	table.put("batches", size.length);
	table.put("meanBatch", rows / size.length);
	table.put("modelUsPerRow", model / 1000 / rows);
	for (const [name, code] of Object.entries(REASON)) {
		const count = left.get(code);
		if (count !== undefined) table.put(`${name}Percent`, (count / size.length) * 100);
	}
	const wait = valueAt(ascending(waits), 50);
	if (wait !== undefined) table.put("realWaitMs", wait / 1e6);
	if (timed > 0) table.put("earlyPercent", (early / timed) * 100);
}

function stages(table: NumberTable, { stamps }: RawRun): void {
	if (stamps === undefined) return;
	const steps = [
		["beforeModelUs", stamps.handlerStartNs, stamps.rowReadyNs],
		["modelAndWaitUs", stamps.rowReadyNs, stamps.scoreBackNs],
		["afterModelUs", stamps.scoreBackNs, stamps.replyWrittenNs],
	] as const;
	for (const [name, from, to] of steps) {
		const lengths: number[] = [];
		for (let i = 0; i < from.length; i++) lengths.push((to[i] ?? Number.NaN) - (from[i] ?? Number.NaN));
		const value = valueAt(ascending(lengths), 50);
		if (value !== undefined) table.put(name, value / 1000);
	}
}

/** Requests inside in each tenth of the arrivals, from arrivals and departures counted up separately. */
function growing(run: FinishedRun, raw: RawRun): boolean {
	const tenth = (run.seconds * 1e9) / 10;
	const held = new Array<number>(10).fill(0);
	const { scheduledNs, receivedNs, outcome } = raw.requests;
	for (let i = 0; i < outcome.length; i++) {
		const due = scheduledNs[i] ?? Number.NaN;
		const done = outcome[i] === OUTCOME.answered ? (receivedNs[i] ?? Number.NaN) : Number.POSITIVE_INFINITY;
		for (let part = 0; part < 10; part++) {
			const overlap = Math.min(done, (part + 1) * tenth) - Math.max(due, part * tenth);
			if (overlap > 0) held[part] = (held[part] ?? 0) + overlap;
		}
	}
	let rises = 0;
	for (let a = 0; a < 10; a++) {
		for (let b = a + 1; b < 10; b++) {
			const [before, after] = [held[a] ?? 0, held[b] ?? 0];
			rises += after > before ? 1 : after < before ? -1 : 0;
		}
	}
	const [early, late] = [
		(held[0] ?? 0) + (held[1] ?? 0) + (held[2] ?? 0),
		(held[7] ?? 0) + (held[8] ?? 0) + (held[9] ?? 0),
	];
	return rises >= 27 && late > 2 * early;
}

function clumping(table: NumberTable, raw: RawRun, sorted: Float64Array): void {
	const { scheduledNs, receivedNs, outcome } = raw.requests;
	const arrivals = new Window(ascending(scheduledNs));
	const place = Math.ceil(0.99 * sorted.length - 1e-9);
	const limit = sorted[place - 1] ?? Number.POSITIVE_INFINITY;
	let [all, slow, slowCount] = [0, 0, 0];
	for (let i = 0; i < outcome.length; i++) {
		const due = scheduledNs[i] ?? 0;
		// Those due at the same ns and later in the list are counted by the window and are not before this one.
		let same = 0;
		for (let next = i + 1; scheduledNs[next] === due; next++) same++;
		const before = arrivals.count(due - 3e6, due) - 1 - same;
		if (outcome[i] !== OUTCOME.answered) continue;
		all += before;
		if ((receivedNs[i] ?? 0) - due <= limit) continue;
		slow += before;
		slowCount++;
	}
	table.put("clumpAll", all / sorted.length);
	if (slowCount > 0) table.put("clumpSlowest", slow / slowCount);
}

function inside(table: NumberTable, run: FinishedRun, raw: RawRun, { due, done }: Stays): void {
	const horizon = run.seconds * 1e9;
	let sum = 0;
	for (let i = 0; i < done.length; i++) sum += (done[i] ?? Number.NaN) - (due[i] ?? Number.NaN);
	const meanMs = sum / done.length / 1e6;
	table.put("meanMs", meanMs);
	table.put("insideByLaw", (raw.requests.outcome.length / run.seconds / 1000) * meanMs);
	const arrivals = new Window(ascending(raw.requests.scheduledNs));
	const departures = new Window(ascending(done));
	let counted = 0;
	for (let moment = 0; moment < 1000; moment++) {
		const at = ((2 * moment + 1) * horizon) / 2000;
		counted += arrivals.count(Number.NEGATIVE_INFINITY, at) - departures.count(Number.NEGATIVE_INFINITY, at);
	}
	table.put("insideCounted", counted / 1000);
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
	inside(table, run, raw, stays);
	return table.numbers;
}

import type { FinishedRun } from "../../record/index.js";
import type { NumberTable } from "../numbers.js";
import type { RawRun } from "../source.js";
import { ascending, Window } from "./arithmetic.js";
import { OUTCOME, type Stays } from "./run-outcomes.js";

/** Requests inside in each tenth of the arrivals, from arrivals and departures counted up separately. */
export function growing(run: FinishedRun, raw: RawRun): boolean {
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

/** Arrivals in the 3 ms before the slowest 1 % and before any. `sorted`: the latencies, ascending. */
export function clumping(table: NumberTable, raw: RawRun, sorted: Float64Array): void {
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

/** How many are inside at once, by Little's law and counted at 1,000 moments. */
export function inside(table: NumberTable, run: FinishedRun, raw: RawRun, { due, done }: Stays): void {
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

/** The slowest 1 % and in how many stretches they came: between two stretches none was due for 50 ms. */
export function slowest(table: NumberTable, { due, done }: Stays, sorted: Float64Array): void {
	const limit = sorted[Math.ceil(0.99 * sorted.length - 1e-9) - 1] ?? Number.POSITIVE_INFINITY;
	const slow = ascending(due.filter((at, i) => (done[i] ?? 0) - at > limit));
	let moments = 0;
	let last = Number.NEGATIVE_INFINITY;
	for (const at of slow) {
		if (at > last + 50e6) moments++;
		last = at;
	}
	table.put("slowestCount", slow.length);
	table.put("slowestMoments", moments);
}

/** Answers a second in the first and the last fifth of the arrivals, and what was still owed when they ended. */
export function speeds(table: NumberTable, run: FinishedRun, { requests }: RawRun): void {
	const fifth = run.seconds / 5;
	let [first, last, owed] = [0, 0, 0];
	for (let i = 0; i < requests.outcome.length; i++) {
		const seconds =
			requests.outcome[i] === OUTCOME.answered ? (requests.receivedNs[i] ?? Number.NaN) / 1e9 : Number.NaN;
		if (seconds <= fifth) first++;
		if (seconds > 4 * fifth && seconds <= run.seconds) last++;
		if (!(seconds <= run.seconds)) owed++;
	}
	table.put("firstFifthPerSecond", first / fifth);
	table.put("lastFifthPerSecond", last / fifth);
	table.put("waitingAtEnd", owed);
}

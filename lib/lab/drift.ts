import type { FinishedRun, RecordReader } from "../record/index.js";
import { median } from "../stats/index.js";
import { planSweep } from "./design.js";
import { driftOf } from "./machine/canary.js";
import type { Session } from "./session/session.js";

/** Kind of the note that closes a round: its drifted runs have had their second chance. */
const ROUND_CLOSED = "round-closed";

export function isClosed(record: RecordReader, round: number): boolean {
	return record.notes().some((note) => note.kind === ROUND_CLOSED && note.text === `round ${round}`);
}

/** The canary of a run: mean of before and after, ns. */
function canaryLevel(run: FinishedRun): number {
	return (run.canary.beforeNs + run.canary.afterNs) / 2;
}

/**
 * Runs of a round that were made on a faster or slower machine than the rest of it: their canary is further than
 * `bound` from the round's median. A machine that changes its speed *between* two runs shows in neither of them alone.
 */
export function offLevel(
	runs: readonly FinishedRun[],
	bound: number,
): { readonly run: FinishedRun; readonly drift: number }[] {
	if (runs.length === 0) return [];
	const level = median(runs.map(canaryLevel));
	return runs.map((run) => ({ run, drift: driftOf(level, canaryLevel(run)) })).filter(({ drift }) => drift > bound);
}

/** The runs of a round that drifted, by themselves or against the round; those against the round are marked first. */
function driftedRuns({ record, profile }: Session, round: number): FinishedRun[] {
	for (const { run, drift } of offLevel(record.finishedRuns({ kind: "open", round }), profile.canaryDrift)) {
		if (run.canary.drifted) continue;
		record.markDrifted(run.id, `the core was ${(drift * 100).toFixed(0)} % off the round's median speed`);
	}
	return record.finishedRuns({ kind: "open", round }).filter((run) => run.canary.drifted);
}

/** Finished runs that a later attempt replaced: what the allowance has been spent on. */
function replaced(record: RecordReader): FinishedRun[] {
	const runs: FinishedRun[] = [];
	for (const run of record.allRuns({ kind: "open" })) if (run.state === "finished" && run.superseded) runs.push(run);
	return runs;
}

/**
 * At the end of a round: has its drifted runs made once more while the schedule's allowance lasts, and says of those
 * that drifted all the same that their comparison is void. A closed round is never opened again.
 *
 * @param repeat makes the runs of these slots again
 */
export async function repeatDrifted(
	session: Session,
	round: number,
	repeat: (slots: ReadonlySet<string>) => Promise<FinishedRun[]>,
): Promise<FinishedRun[]> {
	const { record, profile, startId } = session;
	const allowance = Math.floor(planSweep(profile).flat().length * profile.rerunShare);
	const before = replaced(record);
	const had = new Set(before.map((run) => run.slot));
	const candidates = driftedRuns(session, round).filter((run) => !had.has(run.slot));
	const slots = new Set(candidates.slice(0, Math.max(0, allowance - before.length)).map((run) => run.slot));
	const again = slots.size === 0 ? [] : await repeat(slots);
	for (const run of driftedRuns(session, round)) {
		const why = slots.has(run.slot) || had.has(run.slot) ? "drifted again" : "drifted, and the allowance is spent";
		record.addNote("void", `run ${run.id} (${run.slot}) ${why}: ${run.reasons.join("; ")}`, startId);
	}
	record.addNote(ROUND_CLOSED, `round ${round}`, startId);
	return again;
}

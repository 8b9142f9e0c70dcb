import { type FinishedRun, OUTCOMES, type RecordReader } from "../record/index.js";
import { queueTrend } from "../stats/index.js";
import { runsOf, type Source } from "./values.js";

const ANSWERED = OUTCOMES.indexOf("answered");

/** A run's columns never change, and reading them takes longer than asking; by record and run. */
const known = new WeakMap<RecordReader, Map<number, boolean>>();

/** True when the queue of an open-loop run still grew as its arrivals ended (`queueTrend` of batching-lab/stats). */
export function stillGrew({ record }: Source, run: FinishedRun): boolean {
	const seen = known.get(record) ?? new Map<number, boolean>();
	known.set(record, seen);
	const found = seen.get(run.id);
	if (found !== undefined) return found;
	const { scheduledNs, receivedNs, outcome } = record.requests(run.id);
	const answeredNs = receivedNs.map((at, i) => (outcome[i] === ANSWERED ? at : Number.NaN));
	const { growing } = queueTrend({ scheduledNs, receivedNs: answeredNs, horizonNs: run.seconds * 1e9 });
	seen.set(run.id, growing);
	return growing;
}

/**
 * True when a setting kept up in every round at this rate, and in none its queue still grew: only then is a latency a
 * property of the service and not of how long somebody watched. The report holds to the same rule.
 */
export function stableEverywhere(source: Source, model: string, setting: string, rateMultiple: number): boolean {
	const runs = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple });
	return runs.length > 0 && runs.every((run) => run.summary.keepsUp === true && !stillGrew(source, run));
}

import { differences, type Percentiles, percentilesMs } from "./percentiles.js";
import type { RequestColumns } from "./protocol.js";
import { answeredNs, countOutcomes } from "./summary.js";

export interface ClosedRunSummary {
	readonly sent: number;
	readonly answered: number;
	readonly failed: number;
	readonly timedOut: number;
	/** Answers that came while it counted, over that time. */
	readonly answersPerSecond: number;
	/** From the send, of answered requests. A closed loop cannot know what somebody who came at another moment waits. */
	readonly serviceTimeMs: Percentiles;
	readonly cpuUsPerAnswer: number | null;
}

/** The figures of a closed-loop run that counted for `countMs`. */
export function summariseClosedRun(
	columns: RequestColumns,
	{ countMs, cpuUs }: { readonly countMs: number; readonly cpuUs: number },
): ClosedRunSummary {
	const { answered, failed, timedOut } = countOutcomes(columns.outcome);
	const at = answeredNs(columns);
	const counted = at.reduce((count, ns) => count + (ns <= countMs * 1e6 ? 1 : 0), 0);
	return {
		sent: columns.outcome.length,
		answered,
		failed,
		timedOut,
		answersPerSecond: (counted / countMs) * 1000,
		serviceTimeMs: percentilesMs(differences(at, columns.sentNs)),
		cpuUsPerAnswer: answered === 0 ? null : cpuUs / answered,
	};
}

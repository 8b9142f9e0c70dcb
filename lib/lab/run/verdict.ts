import { OUTCOMES } from "../../client/index.js";
import { ulpDistance } from "../../model/index.js";
import type { RunCounts } from "../../record/index.js";
import { percentile, rates, sortSamples } from "../../stats/index.js";
import { modelOf, type Session } from "../session/session.js";
import type { Measured } from "./measured.js";
import type { RunSpec } from "./spec.js";

export interface Verdict {
	readonly verdict: "VALID" | "LATE" | "INVALID";
	readonly reasons: readonly string[];
	readonly counts: RunCounts;
	readonly differing: number;
	readonly maxUlp: number;
	readonly summary: Readonly<Record<string, number | boolean | null>>;
}

/** Judges a run by its columns. */
export function judged(session: Session, spec: RunSpec, { done, counted }: Measured): Verdict {
	const { scheduledNs, receivedNs, outcome, scoreBits, bodyIndex } = done.columns;
	const tally = [0, 0, 0, 0];
	for (const kind of outcome) tally[kind] = (tally[kind] ?? 0) + 1;
	const [answered = 0, failed = 0, timedOut = 0, unsent = 0] = tally;
	const counts = { scheduled: outcome.length, answered, failed, timedOut, unsent };
	const { name, sha256 } = modelOf(session, spec.model);
	const expected = spec.setting.startsWith("nomodel") ? undefined : session.record.singleScoreBits(name, sha256);
	let [differing, maxUlp] = [0, 0];
	for (let i = 0; i < outcome.length; i++) {
		if (OUTCOMES[outcome[i] ?? 0] !== "answered" || expected === undefined) continue;
		const ulp = ulpDistance(scoreBits[i] ?? 0, expected[bodyIndex[i] ?? 0] ?? 0);
		if (ulp === 0) continue;
		differing++;
		maxUlp = Math.max(maxUlp, ulp);
	}
	const seconds = spec.kind === "open" ? session.profile.arrivalSeconds : session.profile.closedSeconds;
	const latencies = sortSamples(
		receivedNs.map((at, i) => at - (scheduledNs[i] ?? 0)).filter((ns) => !Number.isNaN(ns)),
	);
	const at = (percent: number) => {
		const ns = percentile(latencies, percent);
		return ns === null ? null : ns / 1e6;
	};
	const { answeredPerSecond, keepsUp } = rates({ scheduledNs, receivedNs, horizonNs: seconds * 1e9 });
	const batches = counted.batches.size;
	const rows = batches.reduce((sum, size) => sum + size, 0);
	return {
		verdict: "VALID",
		reasons: [],
		counts,
		differing,
		maxUlp,
		summary: {
			answeredPerSecond,
			keepsUp: spec.kind === "open" ? keepsUp : null,
			p50Ms: at(50),
			p99Ms: at(99),
			meanBatch: batches.length === 0 ? null : rows / batches.length,
		},
	};
}

import { differingScores, type JudgeRules, judgeOpenRun, type OpenRun, summariseOpenRun } from "../../client/index.js";
import type { RunResult } from "../../record/index.js";
import { modelOf, type Session } from "../session/session.js";
import type { Measured } from "./measured.js";
import type { RunSpec } from "./spec.js";
import { bodies, keptBits } from "./traffic.js";

export type Verdict = Pick<RunResult, "verdict" | "reasons" | "counts" | "differing" | "maxUlp" | "summary">;

/** Where the model's bit check was identical one differing answer is wrong; elsewhere differences are only reported. */
function scoreRule(session: Session, spec: RunSpec): NonNullable<JudgeRules["scores"]> {
	const { name } = modelOf(session, spec.model);
	return session.record.model(name)?.bits === "identical" ? "identical" : "reported";
}

function meanBatch({ counted }: Measured): number | null {
	const { size } = counted.batches;
	return size.length === 0 ? null : size.reduce((sum, rows) => sum + rows, 0) / size.length;
}

/** The client's own figures and judgement of a run, as the record keeps them. */
export function judged(session: Session, spec: RunSpec, measured: Measured): Verdict {
	const { profile, placement } = session;
	const { columns, cpuUs, errors } = measured.done;
	const open = spec.kind === "open";
	const expectedBits = keptBits(session, spec);
	const run: OpenRun = {
		columns,
		arrivalMs: (open ? profile.arrivalSeconds : profile.closedSeconds) * 1000,
		connections: open ? profile.connections : profile.closedConnections,
		cpuUs,
		errors,
		...(expectedBits === undefined ? {} : { expectedBits, bodies: bodies(session) }),
	};
	const scores = scoreRule(session, spec);
	const topology = placement.topology === "separate" ? "separate" : "shared";
	const { verdict, late, reasons, ...summary } = open
		? judgeOpenRun(run, { topology, scores })
		: { ...summariseOpenRun(run), ...judgedClosed(run, scores) };
	const { scheduled, answered, failed, timedOut, unsent, latencyMs, differing } = summary;
	return {
		verdict: verdict === "VALID" && late ? "LATE" : verdict,
		reasons,
		counts: { scheduled, answered, failed, timedOut, unsent },
		differing: differing?.count ?? 0,
		maxUlp: differing?.largestUlp ?? 0,
		summary: {
			answeredPerSecond: summary.answeredPerSecond,
			p50Ms: latencyMs.p50,
			p90Ms: latencyMs.p90,
			p95Ms: latencyMs.p95,
			p98Ms: latencyMs.p98,
			p99Ms: latencyMs.p99,
			p999Ms: latencyMs.p999,
			meanBatch: meanBatch(measured),
			...(open
				? {
						offeredPerSecond: summary.offeredPerSecond,
						keepsUp: summary.keepsUp,
						latenessP99Ms: summary.latenessMs.p99,
					}
				: {}),
		},
	};
}

/** A closed loop has no schedule to be late for: it is INVALID when a request found no answer or a wrong one. */
function judgedClosed(
	{ columns, expectedBits, bodies: list, errors }: OpenRun,
	scores: NonNullable<JudgeRules["scores"]>,
): { readonly verdict: "VALID" | "INVALID"; readonly late: boolean; readonly reasons: readonly string[] } {
	const reasons: string[] = [];
	const lost = columns.outcome.reduce((count, kind) => count + Number(kind !== 0), 0);
	if (lost > 0) {
		const why = Object.entries(errors).map(([message, count]) => `${message} (${count}×)`);
		reasons.push(`${lost} of ${columns.outcome.length} requests found no answer: ${why.join("; ")}`);
	}
	const differing = expectedBits === undefined ? null : differingScores(columns, expectedBits, list);
	if (scores === "identical" && differing !== null && differing.count > 0) {
		reasons.push(`${differing.count} of ${differing.compared} scores are not the single-row score`);
	}
	return { verdict: reasons.length === 0 ? "VALID" : "INVALID", late: false, reasons };
}

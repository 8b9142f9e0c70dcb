import { percentile } from "../stats/index.js";
import { allowedTogether } from "./lateness.js";
import { toMs } from "./percentiles.js";
import { type OpenRun, type OpenRunSummary, ownLateness, summariseOpenRun } from "./summary.js";

export interface JudgeRules {
	/** `shared`: client and service run on one core. `separate`: they do not. */
	readonly topology: "shared" | "separate";
	/**
	 * What a score that differs from the single-row score means. `identical`: the model's bit check found none, so one
	 * makes the run INVALID. A number: the distance in units in the last place that the user allows. `reported`: nothing.
	 * @default "reported"
	 */
	readonly scores?: "identical" | "reported" | number;
	/** Share of the requests that may end without an answer. @default 0 */
	readonly lostShare?: number;
	/** On a shared core a run is LATE when the p99 of its lateness lies above this, ms. @default 10 */
	readonly lateAboveMs?: number;
	/** With a core each a send is late above this and above a tenth of the median latency, ms. @default 1 */
	readonly lateSendMs?: number;
	/** With a core each a run is INVALID when more than this share of its sends is late. @default 0.01 */
	readonly lateSendShare?: number;
}

export interface Judgement {
	/** INVALID: do not quote a number of this run. */
	readonly verdict: "VALID" | "INVALID";
	/** The client waited long for the core it shares. That wait is part of the latencies, so the run still counts. */
	readonly late: boolean;
	/** Why it is INVALID or late, a sentence each. */
	readonly reasons: readonly string[];
}

export type JudgedOpenRun = OpenRunSummary & Judgement;

type Objections = readonly string[];
const LATE_SHARE_OF_MEDIAN = 0.1;

const ms = (value: number) => `${value.toFixed(2)} ms`;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function lost(summary: OpenRunSummary, mostShare: number): Objections {
	const { scheduled, answered, failed, timedOut, unsent, errors } = summary;
	const sum = answered + failed + timedOut + unsent;
	if (sum !== scheduled) return [`${sum} requests came to an end, ${scheduled} were scheduled`];
	if (scheduled === 0) return ["no request was scheduled, so nothing was measured"];
	if (scheduled - answered <= mostShare * scheduled) return [];
	const why = Object.entries(errors).map(([message, count]) => `${message} (${count}×)`);
	const what = `of ${scheduled} requests ${failed} failed, ${timedOut} timed out, ${unsent} were not sent`;
	return [why.length === 0 ? what : `${what}: ${why.join("; ")}`];
}

/** With a core each nothing excuses a late send: the client was too slow, and its schedule was not the one drawn. */
function lateSends(run: OpenRun, summary: OpenRunSummary, lateSendMs: number, mostShare: number): Objections {
	const boundMs = Math.max(lateSendMs, LATE_SHARE_OF_MEDIAN * (summary.latencyMs.p50 ?? 0));
	const lateness = ownLateness(run.columns, run.connections);
	const late = lateness.reduce((count, ns) => count + (ns > boundMs * 1e6 ? 1 : 0), 0);
	const share = late / Math.max(1, lateness.length);
	if (share <= mostShare) return [];
	return [
		`${percent(share)} of the sends were over ${ms(boundMs)} late; at most ${percent(mostShare)} may be (the client needs a quieter core, or pacing "precise")`,
	];
}

/**
 * Sends in groups that nobody drew hand a batcher ready-made batches. With a core each only a bad pacer does that, and
 * the run is INVALID. On a shared core the client cannot send while the service computes, so what was due meanwhile
 * leaves together, as it would lie together in the socket buffers with a client elsewhere: near S two sends in three
 * do, with `none` as with any batcher (drawn: one in four). That is said in the record, and voids nothing.
 */
function groups({ scheduled, unsent, waitedForConnection, together }: OpenRunSummary): Objections {
	const allowed = allowedTogether(together.scheduled, scheduled - unsent - waitedForConnection);
	if (together.sent <= allowed) return [];
	return [
		`${percent(together.sent)} of the sends came within 50 µs of the one before; drawn were ${percent(together.scheduled)}, and up to ${percent(allowed)} would pass`,
	];
}

function otherScores({ differing }: OpenRunSummary, rule: "identical" | "reported" | number): Objections {
	if (differing === null || differing.count === 0 || rule === "reported") return [];
	if (rule !== "identical" && differing.largestUlp <= rule) return [];
	const { count, compared, largestUlp, examples } = differing;
	const named = examples.map(
		({ customerId, month, batchSize, answeredBits, expectedBits }) =>
			`customer ${customerId}, month ${month}, batch of ${batchSize}: ${answeredBits}, alone ${expectedBits}`,
	);
	return [
		`${count} of ${compared} scores are not the single-row score (up to ${largestUlp} ULP away): ${named.join("; ")}`,
	];
}

function lateOnSharedCore(run: OpenRun, lateAboveMs: number): Objections {
	const p99Ms = toMs(percentile(ownLateness(run.columns, run.connections), 99));
	if (p99Ms === null || p99Ms <= lateAboveMs) return [];
	return [`LATE: one send in a hundred waited ${ms(p99Ms)} or more for the shared core (bound ${ms(lateAboveMs)})`];
}

/**
 * Figures and verdict of an open-loop run.
 *
 * INVALID: requests that do not add up or ended without an answer; a score with other bits than the rule allows; where
 * client and service have a core each also sends in groups that the schedule did not have, and more than 1 % late sends.
 * On a shared core both are part of waiting for the core and already in the latency: LATE above a bound, and BUNCHED
 * among the reasons.
 */
export function judgeOpenRun(run: OpenRun, rules: JudgeRules): JudgedOpenRun {
	const {
		topology,
		scores = "reported",
		lostShare = 0,
		lateAboveMs = 10,
		lateSendMs = 1,
		lateSendShare = 0.01,
	} = rules;
	const summary = summariseOpenRun(run);
	const invalid = [
		...lost(summary, lostShare),
		...(topology === "separate" ? [...groups(summary), ...lateSends(run, summary, lateSendMs, lateSendShare)] : []),
		...otherScores(summary, scores),
	];
	const late = topology === "shared" ? lateOnSharedCore(run, lateAboveMs) : [];
	const bunched = topology === "shared" ? groups(summary).map((text) => `BUNCHED by the shared core: ${text}`) : [];
	return {
		...summary,
		verdict: invalid.length === 0 ? "VALID" : "INVALID",
		late: late.length > 0,
		reasons: [...invalid, ...late, ...bunched],
	};
}

import { CodedError } from "../base/index.js";
import { type FinishedRun, type RecordReader, slotOf } from "../record/index.js";
import { median } from "../stats/index.js";
import { type PlannedRun, planSweep } from "./design.js";
import { isClosed, repeatDrifted } from "./drift.js";
import { durationText, timePlan, untilText } from "./plan.js";
import type { Profile } from "./profiles.js";
import type { RunSpec } from "./run/spec.js";
import { answersPerSecond, closedSpec, missingRuns } from "./saturation.js";
import { makeRuns, plannedSecondsOf, Tally } from "./schedule.js";
import { modelOf, type Session } from "./session/session.js";

/**
 * The closed loops of `none` that a round begins with. With pace `once` the first round begins with as many as
 * `saturation` has rounds, and their median holds for all rounds, as in the lesson.
 */
export function paceSpecs(profile: Profile, round: number): RunSpec[] {
	const once = profile.pace === "once";
	if (once && round > 1) return [];
	const rounds = once ? Array.from({ length: profile.saturationRounds }, (_, index) => index + 1) : [round];
	return rounds.flatMap((own) =>
		profile.models.map((model, place) =>
			closedSpec(profile, { model, setting: "none", role: "pace", round: own, position: place + 1 }),
		),
	);
}

/** S of a model for one round, as the record has it. */
function saturationFor({ record, profile }: Session, model: string, round: number): number {
	const filter = { kind: "closed", model, role: "pace" } as const;
	const runs = record.finishedRuns(profile.pace === "once" ? filter : { ...filter, round });
	if (runs.length > 0) return median(runs.map(answersPerSecond));
	throw new CodedError("NO_SATURATION", `the record has no S of ${model} for round ${round}`, { exitCode: 1 });
}

/** A planned run with its rate, which needs the round's S. */
export function openSpec(session: Session, planned: PlannedRun): RunSpec {
	const saturation = saturationFor(session, modelOf(session, planned.model).name, planned.round);
	return {
		kind: "open",
		...planned,
		ratePerSecond: saturation * planned.rateMultiple,
		saturationPerSecond: saturation,
		stamps: planned.round === session.profile.stampsRound,
	};
}

/** A planned run before its rate is known: enough to tell whether it was made. */
function openSlot(planned: PlannedRun): RunSpec {
	return { kind: "open", ...planned, ratePerSecond: null, saturationPerSecond: null, stamps: false };
}

interface RoundPlan {
	readonly round: number;
	readonly planned: readonly PlannedRun[];
	readonly pace: readonly RunSpec[];
	/** Runs the record lacks. */
	readonly missing: ReadonlySet<string>;
}

function planRounds(session: Session): RoundPlan[] {
	const { record, profile } = session;
	const nameOf = (model: string) => modelOf(session, model).name;
	return planSweep(profile).map((planned, index) => ({
		round: index + 1,
		planned,
		pace: missingRuns(record, paceSpecs(profile, index + 1), nameOf),
		missing: new Set(missingRuns(record, planned.map(openSlot), nameOf).map(slotKey)),
	}));
}

/** A slot without looking the model's name up: unique inside one plan. */
function slotKey(run: Parameters<typeof slotOf>[0]): string {
	return slotOf(run);
}

function announce(session: Session, plans: readonly RoundPlan[]): Tally {
	const { profile, progress } = session;
	const pace = plans.reduce((sum, plan) => sum + plan.pace.length, 0);
	const open = plans.reduce((sum, plan) => sum + plan.missing.size, 0);
	const { runs: total, expectedSeconds, plannedSeconds } = timePlan(profile);
	const left = pace * plannedSecondsOf(session, "closed") + open * plannedSecondsOf(session, "open");
	const tally = new Tally(total, total - pace - open, left);
	if (left > 0) {
		const expected = (left * expectedSeconds) / plannedSeconds;
		const done = tally.done > 0 ? `, ${tally.done} of ${total} are there already` : "";
		const text = `SCHEDULE ${pace + open} runs${done}: about ${durationText(expected)}, until ${untilText(expected)}`;
		progress.line({ done: tally.done, total, text });
	}
	return tally;
}

/**
 * Makes every run of the sweep that the record lacks: for each round S first, then the round in its shuffled order, then
 * what drifted once more. Finished runs of an earlier start are never made again. Gives how many runs it made.
 *
 * @throws {CodedError} what a process died of; `INTERRUPTED` comes from the session.
 */
export async function measureSweep(session: Session): Promise<number> {
	const { record } = session;
	const plans = planRounds(session);
	const tally = announce(session, plans);
	let made = 0;
	for (const { round, planned, pace, missing } of plans) {
		if (isClosed(record, round) && missing.size === 0) continue;
		made += (await makeRuns(session, pace, tally)).length;
		const specs = planned.filter((run) => missing.has(slotKey(openSlot(run)))).map((run) => openSpec(session, run));
		made += (await makeRuns(session, specs, tally)).length;
		const repeat = (slots: ReadonlySet<string>) => {
			const again = planned.filter((run) =>
				slots.has(slotOf({ ...openSlot(run), model: modelOf(session, run.model).name })),
			);
			return makeRuns(
				session,
				again.map((run) => openSpec(session, run)),
				tally,
				true,
			);
		};
		made += (await repeatDrifted(session, round, repeat)).length;
	}
	return made;
}

/** True when no run of the sweep is missing and every round has been closed. */
export function isSweepComplete(record: RecordReader, profile: Profile, nameOf: (model: string) => string): boolean {
	return planSweep(profile).every(
		(planned, index) => isClosed(record, index + 1) && missingRuns(record, planned.map(openSlot), nameOf).length === 0,
	);
}

/** What a sweep came to, from its record. */
export interface SweepSummary {
	/** Runs that count, of so many planned. */
	readonly runs: number;
	readonly planned: number;
	readonly invalid: number;
	/** Closed loops whose S sets rates, and in which a request found no answer, or a wrong one. */
	readonly invalidPace: number;
	readonly late: number;
	readonly notQuiet: number;
	/** Runs that drifted and whose second attempt, if there was one, drifted too. */
	readonly drifted: number;
	readonly answers: number;
	/** Answers whose score was not the single-row score, bit for bit. */
	readonly differingAnswers: number;
}

export function summariseSweep(record: RecordReader, profile: Profile): SweepSummary {
	const runs = record.finishedRuns({ kind: "open" });
	const count = (is: (run: FinishedRun) => boolean) => runs.filter(is).length;
	return {
		runs: runs.length,
		planned: planSweep(profile).flat().length,
		invalid: count((run) => run.verdict === "INVALID"),
		invalidPace: record.finishedRuns({ role: "pace" }).filter((run) => run.verdict === "INVALID").length,
		late: count((run) => run.verdict === "LATE"),
		notQuiet: count((run) => !run.quiet.quiet),
		drifted: count((run) => run.canary.drifted),
		answers: runs.reduce((sum, run) => sum + run.counts.answered, 0),
		differingAnswers: runs.reduce((sum, run) => sum + run.differing, 0),
	};
}

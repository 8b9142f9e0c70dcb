import { planSweep } from "./design.js";
import type { Profile } from "./profiles.js";
import { warmupSecondsOf } from "./warm-up.js";

/** What starting processes, the canary and writing the record take of a run's wall time, s. Measured; README. */
const OVERHEAD_SECONDS = 0.6;

/** How long a schedule takes. */
export interface TimePlan {
	readonly runs: number;
	/** Arrivals, quiet looks and warm-ups: what no lab could save. Draining comes on top, and is not known beforehand. */
	readonly plannedSeconds: number;
	/** With starting, canaries and record; without runs that drift and are made again. */
	readonly expectedSeconds: number;
	/** With every re-run that the profile allows, and a machine that is never quiet. */
	readonly atMostSeconds: number;
}

function plan(profile: Profile, open: number, closed: number): TimePlan {
	const openSeconds = profile.quietSeconds + warmupSecondsOf(profile, "open") + profile.arrivalSeconds;
	const closedSeconds = profile.quietSeconds + warmupSecondsOf(profile, "closed") + profile.closedSeconds;
	const plannedSeconds = open * openSeconds + closed * closedSeconds;
	const expectedSeconds = plannedSeconds + (open + closed) * OVERHEAD_SECONDS;
	const again = Math.floor(open * profile.rerunShare);
	const atMostSeconds = expectedSeconds + again * (openSeconds + OVERHEAD_SECONDS) + profile.quietPatienceSeconds;
	return { runs: open + closed, plannedSeconds, expectedSeconds, atMostSeconds };
}

/** Closed loops of a sweep that set its rates. */
export function paceRuns({ models, pace, rounds, saturationRounds }: Profile): number {
	return models.length * (pace === "once" ? saturationRounds : rounds);
}

/** How long the sweep of a profile takes, the closed loops that set its rates included. */
export function timePlan(profile: Profile): TimePlan {
	const open = planSweep(profile).reduce((sum, round) => sum + round.length, 0);
	return plan(profile, open, paceRuns(profile));
}

/** How long the saturation runs of one model take. */
export function saturationPlan(profile: Profile, settings: number, models = 1): TimePlan {
	return plan(profile, 0, settings * models * profile.saturationRounds);
}

/** `3 h 5 min`, `4 min 10 s`, `12 s`. */
export function durationText(seconds: number): string {
	const whole = Math.max(0, Math.round(seconds));
	const [h, min, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
	if (h > 0) return `${h} h ${min} min`;
	return min > 0 ? `${min} min ${s} s` : `${s} s`;
}

/** `14:32`, with the date when it is not today. */
export function untilText(seconds: number, now: Date = new Date()): string {
	const then = new Date(now.getTime() + seconds * 1000);
	const time = `${String(then.getHours()).padStart(2, "0")}:${String(then.getMinutes()).padStart(2, "0")}`;
	return then.toDateString() === now.toDateString() ? time : `${then.toDateString()} ${time}`;
}

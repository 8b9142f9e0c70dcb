import { durationText, type LabRun, paceRuns, planSaturation, timePlan, warmupSecondsOf } from "../lab/index.js";
import type { FinishedRun } from "../record/index.js";
import { fact, prose } from "../report/index.js";
import { isControl } from "./saturation.js";
import { listed, tell } from "./tell.js";
import type { Source } from "./values.js";

/** What the closed loops of notebook 03 are going to do. */
export function saturationPlan({ profile }: Pick<LabRun, "profile">): void {
	const { saturationRounds: rounds, models, closedConnections, closedSeconds } = profile;
	const warmupSeconds = warmupSecondsOf(profile, "closed");
	const planned = planSaturation(profile, models);
	const each = planned.length / rounds;
	const which = planned.some(({ setting }) => isControl(setting))
		? "each model with each of its settings, and the controls that we come to below"
		: "each model with each of its settings";
	tell(
		prose`There ${rounds === 1 ? "is" : "are"} ${fact("plan/saturationRounds", rounds, rounds === 1 ? "round" : "rounds")} of ${fact("plan/saturationRuns", each)} measurements (${which}), with ${fact("plan/closedConnections", closedConnections)} clients. Each starts both programs anew, lets them warm up for ${fact("plan/warmupSeconds", warmupSeconds)} s, and then counts for ${fact("plan/closedSeconds", closedSeconds)} s.`,
	);
}

/** What the sweep is going to do, and how long it will take. */
export function plan({ profile }: Pick<LabRun, "profile">): void {
	const { runs, expectedSeconds, atMostSeconds } = timePlan(profile);
	const pace = paceRuns(profile);
	const what = prose`With the profile \`${profile.name}\` there are ${fact("plan/openRuns", runs - pace)} runs with random arrivals in ${fact("plan/rounds", profile.rounds)} ${profile.rounds === 1 ? "round" : "rounds"}, each with ${fact("plan/arrivalSeconds", profile.arrivalSeconds)} s of arrivals, and ${fact("plan/paceRuns", pace)} closed loops that measure S for them.`;
	const time = prose`Together they take about **${fact("plan/expectedSeconds", expectedSeconds, "", durationText(expectedSeconds))}**, and at most ${fact("plan/atMostSeconds", atMostSeconds, "", durationText(atMostSeconds))} if the machine is busy. What has been measured already is not measured again.`;
	tell(`${what} ${time}`);
}

/** What the record says about the runs themselves: quiet, drift, lateness, answers. */
export function quietness(source: Source): void {
	const runs = source.record.finishedRuns({ kind: "open" });
	const count = (name: string, is: (run: (typeof runs)[number]) => boolean) =>
		fact(`quiet/${name}`, runs.filter(is).length);
	const answers = runs.reduce((sum, run) => sum + run.counts.answered, 0);
	const invalid = runs.filter((run) => run.verdict === "INVALID");
	const differing = runs.reduce((sum, run) => sum + run.differing, 0);
	const late = runs.filter((run) => run.verdict === "LATE").length;
	const lines = [
		prose`- ${fact("quiet/runs", runs.length)} runs with random arrivals, ${fact("quiet/answers", answers)} answers, each compared with the score of its row alone; ${fact("quiet/differing", differing)} differed${whose(runs)}.`,
		prose`- In ${count("notQuiet", (run) => !run.quiet.quiet)} of the runs the core was not quiet beforehand; in ${count("drifted", (run) => run.canary.drifted)} the canary says that the machine changed its speed; ${count("invalid", (run) => run.verdict === "INVALID")} were thrown out as INVALID.`,
		prose`- In ${count("late", (run) => run.verdict === "LATE")} of the runs the client was often held up before it could send (LATE)${late > 0 ? ". That wait is part of the latency, so these runs count" : ""}.`,
	];
	if (invalid.length > 0) {
		const reasons = [...new Set(invalid.flatMap((run) => run.reasons.slice(0, 1)))].slice(0, 3);
		lines.push(`- Why INVALID: ${reasons.map((reason) => `\`${reason.replaceAll("`", "'")}\``).join("; ")}.`);
	}
	const doubtful =
		runs.length === 0 ? 0 : runs.filter((run) => !run.quiet.quiet || run.canary.drifted).length / runs.length;
	if (doubtful > 0.2)
		lines.push(
			prose`- **Read what follows with care**: ${fact("quiet/doubtfulPercent", 100 * doubtful, "%")} of the runs were disturbed. Close other programs and measure again, or use a machine where nothing else runs.`,
		);
	tell(lines.join("\n"));
}

/** Which models' answers differed from the score alone. */
function whose(runs: readonly FinishedRun[]): string {
	const models = [...new Set(runs.filter((run) => run.differing > 0).map(({ model }) => model))].sort();
	const names = listed(models.map((model) => `\`${model}\``));
	return models.length === 0 ? "" : models.length === 1 ? `, all of them from ${names}` : `, from ${names}`;
}

import { durationText, type LabRun, timePlan } from "../lab/index.js";
import { fact, prose } from "../report/index.js";
import { tell } from "./tell.js";
import { runsOf, type Source } from "./values.js";

/** What the sweep is going to do, and how long it will take. */
export function plan({ profile }: Pick<LabRun, "profile">): void {
	const { runs, expectedSeconds, atMostSeconds } = timePlan(profile);
	tell(
		prose`With the profile \`${profile.name}\` there are ${fact("plan/runs", runs)} runs in ${fact("plan/rounds", profile.rounds)} ${profile.rounds === 1 ? "round" : "rounds"}, each with ${fact("plan/arrivalSeconds", profile.arrivalSeconds)} s of arrivals. Together they take about **${fact("plan/expectedSeconds", expectedSeconds, "", durationText(expectedSeconds))}**, and at most ${fact("plan/atMostSeconds", atMostSeconds, "", durationText(atMostSeconds))} if the machine is busy. What has been measured already is not measured again.`,
	);
}

/** What the record says about the runs themselves: quiet, drift, lateness, answers. */
export function quietness(source: Source): void {
	const runs = source.record.finishedRuns({ kind: "open" });
	const count = (name: string, is: (run: (typeof runs)[number]) => boolean) =>
		fact(`quiet/${name}`, runs.filter(is).length);
	const answers = runs.reduce((sum, run) => sum + run.counts.answered, 0);
	const invalid = runs.filter((run) => run.verdict === "INVALID");
	const differing = runs.reduce((sum, run) => sum + run.differing, 0);
	const lines = [
		prose`- ${fact("quiet/runs", runs.length)} runs, ${fact("quiet/answers", answers)} answers, each compared with the score of its row alone; ${fact("quiet/differing", differing)} differed.`,
		prose`- Not quiet before the run: ${count("notQuiet", (run) => !run.quiet.quiet)}. The machine changed its speed: ${count("drifted", (run) => run.canary.drifted)}. The client was late: ${count("late", (run) => run.verdict === "LATE")}. Thrown out as INVALID: ${count("invalid", (run) => run.verdict === "INVALID")}.`,
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

/** What the queue did in the example above. */
export function tellQueue(source: Source, model: string, settings: readonly string[]): void {
	const rateMultiple = Math.max(...runsOf(source, { kind: "open", model }).map((run) => run.rateMultiple ?? 0));
	const lines = settings.flatMap((setting) => {
		const run = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple })[0];
		if (run === undefined) return [];
		const { answeredPerSecond, offeredPerSecond, keepsUp } = run.summary;
		if (typeof answeredPerSecond !== "number" || typeof offeredPerSecond !== "number") return [];
		const key = `run/${run.id}`;
		return [
			prose`- \`${setting}\`: ${fact(`${key}/offeredPerSecond`, Math.round(offeredPerSecond))} requests a second came and ${fact(`${key}/answeredPerSecond`, Math.round(answeredPerSecond))} were answered. It ${keepsUp === true ? "kept up" : "**did not keep up**"}.`,
		];
	});
	tell(lines.length === 0 ? "There is no valid run to tell about." : lines.join("\n"));
}

import type { FinishedRun } from "../record/index.js";
import { fact, prose } from "../report/index.js";
import { type SpeedOverRun, speedOverRun } from "../stats/index.js";
import { tell } from "./tell.js";
import { runsOf, type Source } from "./values.js";

/** One run at the highest rate, as the picture of the queue draws it. */
export interface QueueSeen extends SpeedOverRun {
	readonly run: Pick<FinishedRun, "id" | "setting" | "seconds">;
	readonly scheduled: number;
	readonly offeredPerSecond: number;
	readonly answeredPerSecond: number;
	readonly keepsUp: boolean;
	/** S of the run's own round. */
	readonly saturationPerSecond: number | null;
}

/** The first valid run of each setting at the highest rate of a model. */
export function queuesSeen(source: Source, model: string, settings: readonly string[]): QueueSeen[] {
	const rateMultiple = Math.max(0, ...runsOf(source, { kind: "open", model }).map((run) => run.rateMultiple ?? 0));
	return settings.flatMap((setting) => {
		const run = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple })[0];
		if (run === undefined) return [];
		const { answeredPerSecond, keepsUp } = run.summary;
		if (typeof answeredPerSecond !== "number") return [];
		const { scheduledNs, receivedNs } = source.record.requests(run.id);
		const offeredPerSecond = scheduledNs.length / run.seconds;
		const speed = speedOverRun({ scheduledNs, receivedNs, horizonNs: run.seconds * 1e9 });
		const { saturationPerSecond } = run;
		const scheduled = scheduledNs.length;
		return [
			{ run, ...speed, scheduled, offeredPerSecond, answeredPerSecond, keepsUp: keepsUp === true, saturationPerSecond },
		];
	});
}

/** What the queue did in the example above. */
export function tellQueue(source: Source, model: string, settings: readonly string[]): void {
	const seen = queuesSeen(source, model, settings);
	tell(
		seen.length === 0
			? "There is no valid run to tell about."
			: `${seen.map(queueInWords).join("\n")}\n\n${warmingInWords(seen)}`,
	);
}

/**
 * How much came, how much was answered meanwhile, and what was left. The rate that decides about keeping up counts until
 * the last answer, so it is another number than what was answered while requests came.
 */
export function queueInWords(seen: QueueSeen): string {
	const { run, scheduled, offeredPerSecond, answeredPerSecond, keepsUp, waitingAtEnd } = seen;
	const key = `run/${run.id}`;
	const [came, waiting] = [`${key}/scheduled`, `${key}/waitingAtEnd`];
	const time = fact(`${key}/seconds`, run.seconds, "s");
	const meanwhile = fact(`minus/${came};${waiting}`, scheduled - waitingAtEnd);
	const queue = prose`In ${time} ${fact(came, scheduled)} requests came and ${meanwhile} were answered, so ${fact(waiting, waitingAtEnd)} were waiting at the end.`;
	const rate = prose`Until the last one had its answer, it gave ${fact(`${key}/answeredPerSecond`, Math.round(answeredPerSecond))} answers a second, and ${fact(`${key}/offeredPerSecond`, Math.round(offeredPerSecond))} requests a second had come: it ${keepsUp ? "kept up" : "**did not keep up**"}.`;
	return `- \`${run.setting}\`: ${queue} ${rate}`;
}

/** Why a line may climb at first even where the service keeps up, and what that means for S. */
export function warmingInWords(seen: readonly QueueSeen[]): string {
	const faster = seen.filter(({ firstPerSecond, lastPerSecond }) => lastPerSecond > 1.2 * firstPerSecond);
	return [climbing(faster), lowS(seen), faster.length === 0 ? "" : "What counts is whether a line comes down again."]
		.filter((text) => text !== "")
		.join(" ");
}

function climbing(faster: readonly QueueSeen[]): string {
	if (faster.length === 0)
		return "The service answered about as fast at the beginning as at the end, so the shape of the lines is the traffic's.";
	const speeds = faster.map(
		({ run, firstPerSecond, lastPerSecond }) =>
			prose`\`${run.setting}\` answered ${fact(`run/${run.id}/firstFifthPerSecond`, Math.round(firstPerSecond))} a second in the first fifth of the time and ${fact(`run/${run.id}/lastFifthPerSecond`, Math.round(lastPerSecond))} in the last`,
	);
	return `In its first moments a service is slower: Node translates a program into fast code while it runs. So a queue grows fastest then. ${speeds.join("; ")}.`;
}

/** So much more than S in the last fifth is no matter of a few requests. */
const CLEARLY_MORE = 1.1;

/** Where `none` in the end answers more than S, S came out too low, and a multiple of it is less than it says. */
function lowS(seen: readonly QueueSeen[]): string {
	const beyond = seen.find(
		({ run, lastPerSecond, saturationPerSecond: s }) =>
			run.setting === "none" && s !== null && lastPerSecond > CLEARLY_MORE * s,
	);
	if (beyond?.saturationPerSecond == null) return "";
	const { run, saturationPerSecond, offeredPerSecond, lastPerSecond } = beyond;
	const key = `run/${run.id}`;
	const really = fact(
		`ratio/${key}/offeredPerSecond;${key}/lastFifthPerSecond`,
		offeredPerSecond / lastPerSecond,
		"times",
	);
	return prose`In the end \`none\` answered more than the S of its round, ${fact(`${key}/saturationPerSecond`, Math.round(saturationPerSecond))}. So S, measured in a short run of its own, **came out too low**: the requests that came were only ${really} what \`none\` answered in the end. So a multiple of S is less here than it says.`;
}

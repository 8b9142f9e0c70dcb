import type { FinishedRun } from "../record/index.js";
import { fact, prose } from "../report/index.js";
import { type SpeedOverRun, speedOverRun } from "../stats/index.js";
import { tell } from "./tell.js";
import { runsOf, type Source } from "./values.js";

/** One run at the highest rate, as the picture of the queue draws it. */
export interface QueueSeen extends SpeedOverRun {
	readonly run: Pick<FinishedRun, "id" | "setting">;
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
		return [{ run, ...speed, offeredPerSecond, answeredPerSecond, keepsUp: keepsUp === true, saturationPerSecond }];
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

/** How much came, how much was answered, and what was left. */
export function queueInWords(seen: QueueSeen): string {
	const { run, offeredPerSecond, answeredPerSecond, keepsUp, waitingAtEnd } = seen;
	const key = `run/${run.id}`;
	return prose`- \`${run.setting}\`: ${fact(`${key}/offeredPerSecond`, Math.round(offeredPerSecond))} requests a second came and ${fact(`${key}/answeredPerSecond`, Math.round(answeredPerSecond))} were answered. When the last one had come, ${fact(`${key}/waitingAtEnd`, waitingAtEnd)} were waiting. It ${keepsUp ? "kept up" : "**did not keep up**"}.`;
}

/** Why a line may climb at first even where the service keeps up, and what that means for S. */
export function warmingInWords(seen: readonly QueueSeen[]): string {
	const faster = seen.filter(({ firstPerSecond, lastPerSecond }) => lastPerSecond > 1.2 * firstPerSecond);
	if (faster.length === 0)
		return "The service answered about as fast at the beginning as at the end, so the shape of the lines is the traffic's.";
	const speeds = faster.map(
		({ run, firstPerSecond, lastPerSecond }) =>
			prose`\`${run.setting}\` answered ${fact(`run/${run.id}/firstFifthPerSecond`, Math.round(firstPerSecond))} a second in the first fifth of the time and ${fact(`run/${run.id}/lastFifthPerSecond`, Math.round(lastPerSecond))} in the last`,
	);
	const climb =
		faster.length === seen.length
			? "The lines climb steeply at first, because the service was still warming up: Node translates a program into fast code while it runs."
			: "A line climbs steeply at first where the service was still warming up: Node translates a program into fast code while it runs.";
	const beyond = faster.find(
		({ run, lastPerSecond, saturationPerSecond: s }) => run.setting === "none" && s !== null && lastPerSecond > s,
	);
	const more =
		beyond?.saturationPerSecond == null
			? ""
			: prose` So in the end \`none\` answered more than the S of its round, ${fact(`run/${beyond.run.id}/saturationPerSecond`, Math.round(beyond.saturationPerSecond))}: S was measured in a short run too. In a longer run everything would be somewhat faster, and the queue of \`none\` would grow more slowly.`;
	return `${climb} ${speeds.join("; ")}.${more} What counts is whether a line comes down again.`;
}

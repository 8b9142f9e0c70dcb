import { fact, prose } from "../report/index.js";
import { slowMoments } from "../stats/index.js";
import { table, tell } from "./tell.js";
import { runsOf, type Source } from "./values.js";

/** The slowest hundredth of one run. */
export interface Slowest {
	readonly id: number;
	readonly round: number;
	readonly answered: number;
	readonly p50Ms: number | null;
	readonly p99Ms: number | null;
	readonly count: number;
	readonly moments: number;
}

/** The slowest hundredth of each round's run of `none`, where there is room. */
export function slowestOf(source: Source, model: string, setting = "none", rateMultiple = 0.5): Slowest[] {
	return runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple }).map((run) => {
		const { scheduledNs, receivedNs } = source.record.requests(run.id);
		const { count, moments } = slowMoments(
			scheduledNs,
			receivedNs.map((at, i) => at - (scheduledNs[i] ?? 0)),
		);
		const { p50Ms, p99Ms } = run.summary;
		const ms = (value: typeof p50Ms) => (typeof value === "number" ? value : null);
		return {
			id: run.id,
			round: run.round,
			answered: run.counts.answered,
			p50Ms: ms(p50Ms),
			p99Ms: ms(p99Ms),
			count,
			moments,
		};
	});
}

/** Why the p99 is so far from the median where there is plenty of room. */
export function whySlow(source: Source, model: string): void {
	const seen = slowestOf(source, model);
	if (seen.length === 0) {
		tell(`There is no valid run of \`${model}\` with \`none\` at half of S to tell about.`);
		return;
	}
	const rows = seen.map(({ id, round, answered, p50Ms, p99Ms, count, moments }) => {
		const ms = (name: string, value: number | null) =>
			value === null ? "too few" : prose`${fact(`run/${id}/${name}`, value, "ms")}`;
		return [
			prose`${fact(`run/${id}/round`, round)}`,
			prose`${fact(`run/${id}/answered`, answered)}`,
			ms("p50Ms", p50Ms),
			ms("p99Ms", p99Ms),
			prose`${fact(`run/${id}/slowestCount`, count)}`,
			prose`${fact(`run/${id}/slowestMoments`, moments)}`,
		];
	});
	const head = ["round", "requests", "p50", "p99", "slower than the p99", "moments in which they came"];
	const counted = prose`Two slow requests belong to different moments if more than ${fact("rule/momentGapMs", 50)} ms without a slow one lie between them.`;
	tell(`\`${model}\` with \`none\` at half of S. ${counted}\n\n${table([head, ...rows])}\n\n${whySlowInWords(seen)}`);
}

/** Up to so many moments, the p99 is a matter of single stumbles. */
const FEW_MOMENTS = 5;

/** One stumble or a habit? Right whichever way it falls. */
export function whySlowInWords(seen: readonly Slowest[]): string {
	const few = seen.filter(({ moments }) => moments <= FEW_MOMENTS).length;
	if (few === seen.length)
		return `The slowest are not spread over the run: they came in a few moments, in which everybody had to wait together. One stumble more or less, and the p99 is another. Read it as "this bad it got in this run", not as a habit of the service.`;
	return few === 0
		? `The slowest are spread over the run: slow requests are a habit of this service, not a stumble.`
		: `In some rounds the slowest came in a few moments, in others they are spread over the run.`;
}

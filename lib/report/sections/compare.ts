import { dialsOf } from "../cells.js";
import { fact, prose } from "../prose.js";
import { table } from "../table.js";
import { type Context, code, keyOf, listed, rateText, type Section } from "./context.js";
import { verdictWords } from "./words.js";

const isBatched = (setting: string) => /^b\d/.test(setting) && dialsOf(setting).batched;

/** The rate at which the best setting is looked for: 1.6 S as in the lesson, or the highest there is. */
function bestRate(rates: readonly number[]): number | undefined {
	return rates.includes(1.6) ? 1.6 : rates.at(-1);
}

/** Batched settings by p99 at 1.6 S; who cannot be told apart from the first is a tie with it, by direct comparison only. */
export function best(context: Context): Section | null {
	const parts = context.models.flatMap((model) => {
		const rate = bestRate(context.ratesOf(model));
		if (rate === undefined) return [];
		const stable = context.cells.filter(
			(cell) => cell.model === model && cell.rateMultiple === rate && isBatched(cell.setting) && context.stable(cell),
		);
		const ordered = stable.sort(
			(a, b) =>
				(context.value(`${keyOf(a)}/p99Ms`) ?? Number.POSITIVE_INFINITY) -
				(context.value(`${keyOf(b)}/p99Ms`) ?? Number.POSITIVE_INFINITY),
		);
		const [first] = ordered;
		const where = rateText(rate);
		if (first === undefined)
			return [`**${code(model)}**: no batched setting was stable at ${where}, so none is the best.`];
		if (ordered.length === 1)
			return [
				`**${code(model)}** at ${where}: only ${code(first.setting)} was stable (p99: ${context.show(`${keyOf(first)}/p99Ms`, "ms", "too few samples")}), so there is nothing to compare it with.`,
			];
		const rows = ordered.map((cell) => [
			code(cell.setting),
			context.show(`${keyOf(cell)}/p99Ms`, "ms", "too few samples"),
			cell === first
				? "the lowest"
				: verdictWords(context, `pair/${model}/${cell.setting}~${first.setting}/x${rate}/p99Ms`),
		]);
		const verdicts = ordered.slice(1).map((cell) => ({
			setting: cell.setting,
			toldApart: context.value(`pair/${model}/${cell.setting}~${first.setting}/x${rate}/p99Ms/toldApart`),
		}));
		const words = bestWords(first.setting, verdicts);
		return [
			`**${code(model)}** at ${where}\n\n${table([["", "p99", `against ${code(first.setting)}`], ...rows])}\n\n${words}`,
		];
	});
	return parts.length === 0
		? null
		: { id: "best", title: "The best batched settings", markdown: parts.join("\n\n"), addedLater: false };
}

/** A setting against the one with the lowest p99: 1 = higher, −1 = lower, 0 = not told apart, undefined = too few rounds. */
export interface AgainstBest {
	readonly setting: string;
	readonly toldApart: number | undefined;
}

/** Who is best, and who ties with it; the lowest of several was picked after looking, and that is said. */
export function bestWords(first: string, verdicts: readonly AgainstBest[]): string {
	const named = (value: number) =>
		listed(verdicts.filter(({ toldApart }) => toldApart === value).map(({ setting }) => code(setting)));
	if (verdicts.some(({ toldApart }) => toldApart === undefined))
		return `With fewer than ${prose`${fact("rule/roundsForAVerdict", 5)}`} undisturbed rounds no order is claimed: take them as equally good.`;
	if (named(-1) !== "")
		return `Over all rounds ${code(first)} has the lowest p99, yet round by round ${named(-1)} is faster: rounds in which the machine changed its speed count in the first and not in the second. So no order is claimed.`;
	const luck = prose`It was picked because it came out lowest, and luck alone tells each of the others apart from it in up to ${fact("rule/luckPercent/5", 6.25, "%")} of experiments.`;
	return named(0) === ""
		? `${code(first)} has the lowest p99, told apart from all others. ${luck}`
		: `${code(first)} has the lowest p99, and cannot be told apart from ${named(0)}: these are ties.`;
}

/** Does a timed wait ever beat every setting without one? The lesson asked it after it had seen its results. */
export function timedWait(context: Context): Section | null {
	const cases = context.models.flatMap((model) =>
		context.ratesOf(model).flatMap((rate) => {
			const key = `wait/${model}/x${rate}`;
			return (context.value(`${key}/timedSettings`) ?? 0) === 0 ? [] : [{ model, rate, key }];
		}),
	);
	if (cases.length === 0) return null;
	const decided = cases.filter(({ key }) => context.value(`${key}/timedBeatsAllFree`) !== undefined);
	const lines = decided.map(
		({ model, rate, key }) =>
			`- ${code(model)} at ${rateText(rate)}: ${context.show(`${key}/timedBeatsAllFree`)} of ${context.show(`${key}/timedSettings`)} settings with a timed wait had a lower p99 than every setting with \`W = 0\` and room for company, told apart.`,
	);
	const lesson = prose`In the lesson it happened ${fact("reference/lesson-160", 2, "times")}, at high rates.`;
	const found = decided.some(({ key }) => (context.value(`${key}/timedBeatsAllFree`) ?? 0) > 0)
		? "So a timed wait can win, where it is busy enough; what it costs where it is quiet stands above."
		: "So a timed wait never won here.";
	const markdown =
		decided.length === 0
			? `Whether a timed wait ever beats every setting without one cannot be said here: a verdict takes ${prose`${fact("rule/roundsForAVerdict", 5)}`} rounds, and \`quick\` has fewer. Use \`standard\`. ${lesson}`
			: `${lines.join("\n")}\n\n${found} ${lesson}`;
	return { id: "timed-wait", title: "A timed wait against no timed wait", markdown, addedLater: true };
}

import { dialsOf } from "../cells.js";
import { fact, prose } from "../prose.js";
import { table } from "../table.js";
import { type Context, code, keyOf, listed, placeOf, rateText, type Section, verdictWords } from "./context.js";

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
		if (first === undefined) return [`**${code(model)}**: no batched setting was stable at ${where}.`];
		const rows = ordered.map((cell) => [
			code(cell.setting),
			context.show(`${keyOf(cell)}/p99Ms`, "ms", "too few samples"),
			cell === first
				? "lowest"
				: verdictWords(context, `pair/${model}/${cell.setting}~${first.setting}/x${rate}/p99Ms`),
		]);
		const ties = ordered.filter(
			(cell) =>
				cell !== first &&
				context.value(`pair/${model}/${cell.setting}~${first.setting}/x${rate}/p99Ms/toldApart`) === 0,
		);
		const decided = ordered.every(
			(cell) =>
				cell === first ||
				context.value(`pair/${model}/${cell.setting}~${first.setting}/x${rate}/p99Ms/toldApart`) !== undefined,
		);
		const words = !decided
			? `With fewer than ${prose`${fact("rule/roundsForAVerdict", 5)}`} undisturbed rounds no order is claimed.`
			: ties.length === 0
				? `${code(first.setting)} has the lowest p99, told apart from all others.`
				: `${code(first.setting)} has the lowest p99, and cannot be told apart from ${listed(ties.map((cell) => code(cell.setting)))}: these are ties.`;
		return [
			`**${code(model)}** at ${where}\n\n${table([["", "p99", `against ${code(first.setting)}`], ...rows])}\n\n${words}`,
		];
	});
	return parts.length === 0
		? null
		: { id: "best", title: "The best batched settings", markdown: parts.join("\n\n"), addedLater: false };
}

/** Does a timed wait ever beat every setting without one? Asked after results had been seen, as in the lesson. */
export function timedWait(context: Context): Section | null {
	const lines = context.models.flatMap((model) =>
		context.ratesOf(model).flatMap((rate) => {
			const key = `wait/${model}/x${rate}`;
			const timed = context.value(`${key}/timedSettings`) ?? 0;
			const wins = context.value(`${key}/timedBeatsAllFree`);
			if (timed === 0) return [];
			const where = `${code(model)} at ${rateText(rate)}`;
			if (wins === undefined) return [`- ${where}: too few rounds for a verdict.`];
			return [
				`- ${where}: ${context.show(`${key}/timedBeatsAllFree`)} of ${context.show(`${key}/timedSettings`)} settings with a timed wait had a lower p99 than every W = 0 setting with a cap above one row, told apart.`,
			];
		}),
	);
	return lines.length === 0
		? null
		: {
				id: "timed-wait",
				title: "A timed wait against no timed wait",
				markdown: lines.join("\n").replace(/W = 0/g, "`W = 0`"),
				addedLater: true,
			};
}

/** Arrivals shortly before the slowest requests against those before any. */
export function clumps(context: Context): Section | null {
	const rows = context.models.flatMap((model) => {
		const rate = context.ratesOf(model)[0];
		if (rate === undefined) return [];
		const key = `sweep/${model}/none/x${rate}`;
		if (context.value(`${key}/clumpSlowest`) === undefined) return [];
		const range = (name: string) => `${context.show(`${key}/${name}Low`)} to ${context.show(`${key}/${name}High`)}`;
		return [[`${code(model)} ${code("none")} at ${rateText(rate)}`, range("clumpAll"), range("clumpSlowest")]];
	});
	if (rows.length === 0) return null;
	const lesson = prose`In the lesson: ${fact("reference/lesson-127", 1.6)} to ${fact("reference/lesson-128", 1.69)} before any request, ${fact("reference/lesson-125", 4.5)} to ${fact("reference/lesson-126", 4.9)} before the slowest.`;
	return {
		id: "clumps",
		title: "Do the slowest requests come in clumps?",
		markdown: `Other arrivals in the ${prose`${fact("rule/clumpWindowMs", 3, "ms")}`} before a request, smallest to largest round.\n\n${table([["", "before any request", prose`before the slowest ${fact("rule/slowestPercent", 1, "%")}`], ...rows])}\n\n${lesson} It fits the explanation that clumps are shared; it does not prove it.`,
		addedLater: true,
	};
}

/** A/A: what "all rounds agree" is worth here. */
export function againstItself(context: Context): Section | null {
	const lines = context.models.flatMap((model) => {
		const key = `aa/${model}`;
		if (context.value(`${key}/comparisons`) === undefined) return [];
		return [
			`- ${code(model)}: all rounds agreed in ${context.show(`${key}/allAgree`)} of ${context.show(`${key}/comparisons`)} comparisons of ${code("none")} with itself; chance alone gives ${context.show(`${key}/expected`)}.`,
		];
	});
	const powers = context.models.flatMap((model) =>
		context.ratesOf(model).flatMap((rate) => {
			const key = `power/${model}/x${rate}`;
			const none = context.cell(model, "none", rate);
			if (context.value(`${key}/spreadMs`) === undefined || none === undefined || !context.stable(none)) return [];
			return [
				`- ${code(model)} at ${rateText(rate)}: a round's p99 scatters by ${context.show(`${key}/spreadMs`, "ms")}. Five rounds that must all agree find a difference of ${context.show(`${key}/findableMs`, "ms")} in four of five experiments; a smaller one needs longer runs.`,
			];
		}),
	);
	if (powers.length > 0) lines.push(...powers);
	return lines.length === 0
		? null
		: { id: "against-itself", title: "None against itself", markdown: lines.join("\n"), addedLater: false };
}

/** Little's law against a count, moment by moment. */
export function little(context: Context): Section | null {
	const rows = context.cells.flatMap((cell) => {
		const key = keyOf(cell);
		if (context.value(`${key}/insideByLaw`) === undefined || !context.stable(cell)) return [];
		return [[placeOf(cell), context.show(`${key}/insideByLaw`), context.show(`${key}/insideCounted`)]];
	});
	if (rows.length === 0) return null;
	return {
		id: "little",
		title: "Requests inside at once",
		markdown: `Little's law says rate × mean latency; counted = requests due and not answered at a thousand moments.\n\n${table([["", "by the law", "counted"], ...rows])}`,
		addedLater: false,
	};
}

import { fact, prose } from "../prose.js";
import { table } from "../table.js";
import { type Context, code, keyOf, placeOf, rateText, type Section } from "./context.js";

/** Arrivals shortly before the slowest requests against those before any. */
export function clumps(context: Context): Section | null {
	const keys = context.models.flatMap((model) => {
		const rate = context.quietRateOf(model);
		const key = `sweep/${model}/none/x${rate}`;
		return rate === undefined || context.value(`${key}/clumpSlowest`) === undefined ? [] : [{ model, rate, key }];
	});
	if (keys.length === 0) return null;
	const rows = keys.map(({ model, rate, key }) => {
		const range = (name: string) => `${context.show(`${key}/${name}Low`)} to ${context.show(`${key}/${name}High`)}`;
		return [
			`${code(model)} ${code("none")} at ${rateText(rate)}`,
			range("clumpAll"),
			range("clumpSlowest"),
			company(context, key),
		];
	});
	const lesson = prose`In the lesson: ${fact("reference/lesson-127", 1.6)} to ${fact("reference/lesson-128", 1.69)} before any request, ${fact("reference/lesson-125", 4.5)} to ${fact("reference/lesson-126", 4.9)} before the slowest: there, clumps fit as the reason.`;
	const head = [
		"",
		"before any request",
		prose`before the slowest ${fact("rule/slowestPercent", 1, "%")}`,
		"the slowest had",
	];
	return {
		id: "clumps",
		title: "Do the slowest requests come in clumps?",
		markdown: `Other arrivals in the ${prose`${fact("rule/clumpWindowMs", 3, "ms")}`} before a request, from the smallest to the largest round. If the slowest had more company just before them, the queue of a clump is a likely reason – likely, not proved.\n\n${table([head, ...rows])}\n\n${lesson}`,
		addedLater: true,
	};
}

/** Only where the rounds' ranges do not even touch anything is said. */
function company(context: Context, key: string): string {
	const of = (name: string) => context.value(`${key}/${name}`) ?? Number.NaN;
	if (of("rounds") < 2) return "undecided: one round only";
	if (of("clumpSlowestLow") > of("clumpAllHigh")) return "more company in every round";
	if (of("clumpSlowestHigh") < of("clumpAllLow")) return "less company in every round";
	return "no clear difference";
}

/** So seldom, %, luck alone makes so many comparisons agree: then it was not luck alone. */
const SELDOM = 5;

/** What differences this machine lets one find, and how sure that is itself. */
function powerWords(context: Context, key: string, rounds: string): string {
	const few = (context.value(rounds) ?? 0) < 5;
	const wide = few ? "half as large or six times as large" : "half as large or three times as large";
	const tenth = context.show(`${key}/roundsForTenth`, "rounds", "more rounds than anybody makes");
	const scatter = `from round to round the difference of the two p99s scatters by ${context.show(`${key}/spreadMs`, "ms")} (standard deviation). So few rounds give only a rough idea of that: the true scatter may well be ${wide}, and what follows with it.`;
	return `${scatter} Five rounds that must all agree find a difference of ${context.show(`${key}/findableMs`, "ms")} in four of five experiments. A tenth of the p99, ${context.show(`${key}/tenthMs`, "ms")}, would take ${tenth}, or longer runs.`;
}

/** A/A: what "all rounds agree" is worth here. */
export function againstItself(context: Context): Section | null {
	const rows = context.models.flatMap((model) => {
		const key = `aa/${model}`;
		return context.value(`${key}/comparisons`) === undefined
			? []
			: [
					[
						code(model),
						context.show(`${key}/comparisons`),
						context.show(`${key}/expected`),
						context.show(`${key}/allAgree`),
						context.show(`${key}/soManyByLuckPercent`, "%"),
					],
				];
	});
	if (rows.length === 0) return null;
	const seldom = context.models.some((model) => (context.value(`aa/${model}/soManyByLuckPercent`) ?? 100) < SELDOM);
	const single = context.models.some((model) => (context.value(`aa/${model}/roundsEach`) ?? 2) < 2);
	const found = single
		? "Where only one round stands it always agrees with itself: that says nothing."
		: seldom
			? "That is more often than luck does it: the machine itself went one way here, so take the verdicts above with care."
			: "That is about what luck does.";
	const powers = context.models.flatMap((model) => {
		const rate = context.quietRateOf(model);
		const none = rate === undefined ? undefined : context.cell(model, "none", rate);
		const key = `power/${model}/x${rate}`;
		if (rate === undefined || none === undefined || !context.stable(none)) return [];
		if (context.value(`${key}/spreadMs`) === undefined) return [];
		return [`- ${code(model)} at ${rateText(rate)}: ${powerWords(context, key, `aa/${model}/x${rate}/rounds`)}`];
	});
	const head = [
		"",
		"comparisons of `none` with itself",
		"all rounds agree by luck in",
		"all rounds agreed in",
		"luck does that, or more, in",
	];
	const markdown = [table([head, ...rows]), found, ...(powers.length > 0 ? [powers.join("\n")] : [])].join("\n\n");
	return { id: "against-itself", title: "None against itself", markdown, addedLater: false };
}

/** Little's law against a count, moment by moment; shown where the queue was shortest, longest, and agreement worst. */
export function little(context: Context): Section | null {
	const cells = context.cells.flatMap((cell) => {
		const ratio = context.value(`little/${cell.model}/${cell.setting}/x${cell.rateMultiple}/ratio`);
		const inside = context.value(`${keyOf(cell)}/insideByLaw`);
		return ratio === undefined || inside === undefined || !context.stable(cell)
			? []
			: [{ cell, inside, distance: Math.abs(Math.log(ratio)) }];
	});
	const byLength = [...cells].sort((a, b) => a.inside - b.inside);
	const byDistance = [...cells].sort((a, b) => a.distance - b.distance);
	const [shortest, longest, worst] = [byLength[0], byLength.at(-1), byDistance.at(-1)];
	if (shortest === undefined || longest === undefined || worst === undefined) return null;
	const rows = Object.entries({
		"the shortest queue": shortest,
		"the longest": longest,
		"the worst agreement": worst,
	}).map(([what, { cell }]) => [
		`${what}: ${placeOf(cell)}`,
		context.show(`${keyOf(cell)}/insideByLaw`),
		context.show(`${keyOf(cell)}/insideCounted`),
		context.show(`little/${cell.model}/${cell.setting}/x${cell.rateMultiple}/ratio`),
	]);
	const verdict =
		worst.distance < 0.05
			? "Everywhere the two agree to within a twentieth."
			: "Somewhere the two differ by more than a twentieth: requests that were still inside when a run ended are the likely reason.";
	const markdown = `**Little's law**: requests inside = arrivals a second × seconds each one stays. It holds for every queue that does not keep growing; cases marked unstable are left out. *Counted* = requests due and not yet answered, looked at in a thousand moments.\n\n${table([["", "by the law", "counted", "counted ÷ law"], ...rows])}\n\n${verdict} Both come from the same time stamps, by different ways: if our counting were wrong, they would part.`;
	return { id: "little", title: "Requests inside at once", markdown, addedLater: false };
}

import { dialsOf } from "../cells.js";
import { fact, prose } from "../prose.js";
import { REFERENCES } from "../reference.js";
import { table } from "../table.js";
import { type Context, code, keyOf, placeOf, rateText, type Section } from "./context.js";
import { luckWords, noMoreThanLuck, outcomeOf, rateWords, signed, verdictWords } from "./words.js";

const isBatched = (setting: string) => /^b\d/.test(setting) && dialsOf(setting).batched;

const TITLE = "The price of a wait where it is quiet";

/** What a setting changes at the lowest rate, against none, round by round on the same arrivals. */
export function priceOfWait(context: Context): Section | null {
	const parts = context.models.flatMap((model) => part(context, model));
	if (parts.length === 0) return null;
	const sure = proofs(context);
	// Nothing was compared: then there is no table to explain either.
	if (sure === "") return { id: "price-of-wait", title: TITLE, markdown: parts.join("\n\n"), addedLater: false };
	const markdown = `Each round gives one difference: a setting minus ${code("none")}, on the same arrivals. A minus means faster. The table shows the middle one of these differences. (That is not the difference of the two middle latencies in the tables of results: the middle round of one setting may be another round than that of the other.)\n\n${parts.join("\n\n")}\n\n${sure}`;
	return { id: "price-of-wait", title: TITLE, markdown, addedLater: false };
}

function part(context: Context, model: string): string[] {
	const rate = context.quietRateOf(model);
	if (rate === undefined) return [];
	const settings = context.settingsOf(model).filter((setting) => isBatched(setting) || setting === "none again");
	const batched = settings.filter(isBatched);
	const key = (setting: string, name: string) => `pair/${model}/${setting}~none/x${rate}/${name}`;
	const rows = settings.flatMap((setting) =>
		["p50Ms", "p99Ms"].flatMap((name) => {
			const at = key(setting, name);
			if (context.value(`${at}/median`) === undefined) return [];
			return [
				[
					`${code(setting)} ${name === "p50Ms" ? "p50" : "p99"}`,
					...["median", "low", "high"].map((which) => signed(context, `${at}/${which}`)),
					verdictWords(context, at),
				],
			];
		}),
	);
	if (batched.length > 0 && rows.length === 0) {
		return [
			`**${code(model)}**: there is no round in which two settings were both valid at ${rateText(rate)} on a machine that kept its speed, so nothing is compared.`,
		];
	}
	if (rows.length === 0) return [];
	const head = ["minus `none`", "middle", "smallest", "largest", "verdict"];
	return [
		`**${code(model)}** at ${rateWords(rate)}\n\n${table([head, ...rows])}\n\n${conclusion(context, model, rate)}${warning(context, model, rate)}${manyWords(context, model, rate)}`,
	];
}

/** Fewer than five rounds are told as what was seen in them, not as what a setting does. */
const SEEN = { faster: "faster in every round", slower: "slower in every round", undecided: "not clearly changed" };
const TOLD = { faster: "made faster", slower: "made slower", undecided: "not clearly changed" };

/** What each setting did to the typical and to the slowest requests. */
function conclusion(context: Context, model: string, rate: number): string {
	const moved = (context.value("limits/rounds") ?? 0) < 5 ? SEEN : TOLD;
	const said = context.batchedOf(model).flatMap((setting) => {
		const [typical, slowest] = ["p50Ms", "p99Ms"].map((name) =>
			outcomeOf(context, `pair/${model}/${setting}~none/x${rate}/${name}`),
		);
		if (typical === undefined) return [];
		const luck = (name: string) =>
			noMoreThanLuck(context, model, setting, rate, name) ? ` (no more than ${code("none")} against itself)` : "";
		const tail = slowest === undefined ? "too few requests to say" : `${moved[slowest]}${luck("p99Ms")}`;
		return [
			`with ${code(setting)} the typical request was ${moved[typical]}${luck("p50Ms")}, the slowest of a hundred ${tail}`,
		];
	});
	return said.length === 0 ? "" : `So ${said.join("; ")}.`;
}

/** Many comparisons, and some agree by luck: how many there are, and how many that would be. */
function manyWords(context: Context, model: string, rate: number): string {
	const key = `luck/${model}/x${rate}`;
	if ((context.value(`${key}/comparisons`) ?? 0) < 2) return "";
	return ` That is ${context.show(`${key}/comparisons`)} comparisons of a batched setting with ${code("none")}. If none of them differed in truth, all rounds would still agree in ${context.show(`${key}/expected`)} of them on average, by luck.`;
}

/** Where `none` differs from itself in all rounds, agreeing rounds are worth less. */
function warning(context: Context, model: string, rate: number): string {
	const moved = ["p50", "p99"].filter((name) =>
		["faster", "slower"].includes(outcomeOf(context, `pair/${model}/none again~none/x${rate}/${name}Ms`) ?? ""),
	);
	return moved.length === 0
		? ""
		: ` Take the ${moved.join(" and the ")} with care: here even ${code("none")} against itself went one way in all rounds, by luck or because the machine changed.`;
}

/** How much these verdicts are worth, once for each number of rounds that stand. */
function proofs(context: Context): string {
	const found = new Map<number, string>();
	for (const model of context.models) {
		const rate = context.quietRateOf(model);
		for (const setting of context.batchedOf(model)) {
			const key = `pair/${model}/${setting}~none/x${rate}/p50Ms`;
			const rounds = context.value(`${key}/rounds`);
			if (rounds !== undefined && !found.has(rounds)) found.set(rounds, proof(context, rounds, key));
		}
	}
	return [...found.values()].join("\n\n");
}

function proof(context: Context, rounds: number, key: string): string {
	const coverage =
		rounds < 2
			? ""
			: ` From smallest to largest: in ${context.show(`${key}/coveragePercent`, "%")} of such experiments that range holds the true middle. Statisticians give the chance that luck alone does it as a *p* (this one has nothing to do with the p of p99): with so many rounds it cannot come out below ${context.show(`${key}/smallestP`)}.`;
	return `**How sure is that?** ${luckWords(rounds, `${key}/rounds`)}${coverage} And two settings that each differ from ${code("none")} are not ranked by that: they have to be compared with each other.`;
}

/** W asked and W given, with the share of timers that rang early. */
export function realWaits(context: Context): Section | null {
	const cells = context.cells.filter(({ model, setting, rateMultiple }) => {
		const rates = context.ratesOf(model);
		const shown = rateMultiple === rates[0] || rateMultiple === rates.at(-1);
		return shown && isBatched(setting) && setting !== "b1w0";
	});
	const rows = cells.flatMap((cell) => {
		const key = keyOf(cell);
		if (context.value(`${key}/realWaitMs`) === undefined) return [];
		return [
			[
				placeOf(cell),
				prose`${fact(`asked/${cell.setting}`, dialsOf(cell.setting).maxWaitMs, "ms")}`,
				context.show(`${key}/realWaitMs`, "ms"),
				lessonWait(cell.setting),
				context.show(`${key}/earlyPercent`, "%", "no timer"),
			],
		];
	});
	if (rows.length === 0) return null;
	const head = ["", "W asked", "really waited", "in the lesson", "left before W"];
	const early = cells.filter((cell) => (context.value(`${keyOf(cell)}/earlyPercent`) ?? 0) > 0);
	const timers = cells.filter((cell) => context.value(`${keyOf(cell)}/earlyPercent`) !== undefined);
	const found =
		timers.length === 0
			? ""
			: early.length === 0
				? " No batch that did not fill left before its W: on Node a timer can ring early, and the batcher then waits again."
				: ` Some batches left before their W (${early.map(placeOf).join("; ")}), so the batcher does not hold it here.`;
	const markdown = `How long the first row of a batch waited, from the moment at which it reached the batcher; middle one of the batches that did not fill. With \`W = 0\` nobody waits on purpose: such a row waits only until the model is free, which takes longer the busier it is.\n\n${table([head, ...rows])}\n\nFor a batch that does not fill, the W one sets is a floor, not an exact time.${found}`;
	return { id: "real-waits", title: "W asked and W given", markdown, addedLater: false };
}

const LESSON_WAITS: Readonly<Record<string, string>> = { w1: "129", w2: "130", w5: "131", w10: "132" };

function lessonWait(setting: string): string {
	const id = LESSON_WAITS[setting.replace(/^b\d+/, "")];
	const value = id === undefined ? undefined : REFERENCES.get(`lesson-${id}`)?.value;
	return value === undefined ? "–" : prose`${fact(`reference/lesson-${id}`, value, "ms")}`;
}

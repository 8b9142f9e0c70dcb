import { plainText } from "../plain.js";
import { fact, prose, rounded } from "../prose.js";
import { table } from "../table.js";
import { mainBatched } from "./answer.js";
import { type Context, code, keyOf, listed, rateText, type Section } from "./context.js";
import { changeWords, keptWords, outcomeOf, unstableAt } from "./words.js";

/** The headline: latency by rate, with what is no stable number said beside it. */
export function headline(context: Context): Section | null {
	if (context.cells.length === 0) return nothingStands(context);
	const parts = context.models.flatMap((model) => {
		const rates = context.ratesOf(model);
		if (rates.length === 0) return [];
		const settings = context.settingsOf(model);
		const head = ["", ...rates.map((rate) => rateHead(context, model, rate))];
		const rows = (name: string) =>
			settings.map((setting) => [
				code(setting),
				...rates.map((rate) => latencyCell(context, model, setting, rate, name)),
			]);
		const kept = howFar(context, model, settings);
		return [
			`**${code(model)}**, p99: ninety-nine of a hundred requests were faster\n\n${table([head, ...rows("p99Ms")])}\n\n${code(model)}, p50: half of the requests were faster\n\n${table([head, ...rows("p50Ms")])}\n\n${kept}${busiest(context, model)}`,
		];
	});
	const markdown = [introduction(context), ...parts].join("\n\n");
	return { id: "headline", title: "Latency by arrival rate", markdown, addedLater: false };
}

/** How far each setting kept up; those that went equally far share a line. */
function howFar(context: Context, model: string, settings: readonly string[]): string {
	const alike = new Map<string, { words: string; names: string[] }>();
	for (const setting of settings) {
		const words = keptWords(context, model, setting).slice(code(setting).length);
		const group = alike.get(plainText(words)) ?? { words, names: [] };
		group.names.push(code(setting));
		alike.set(plainText(words), group);
	}
	return [...alike.values()].map(({ words, names }) => `- ${listed(names)}${plural(words, names.length)}.`).join("\n");
}

const plural = (words: string, count: number) =>
	count < 2 ? words : words.replace("its limit was", "their limits were").replace(/^ was/, " were");

/** Open-loop runs that are all INVALID leave no evidence; that is said, never passed over. */
function nothingStands(context: Context): Section | null {
	const runs = context.facts.runs.filter(({ kind }) => kind === "open");
	if (runs.length === 0) return null;
	const markdown = `All ${context.show("quiet/runs")} open-loop runs are INVALID, so no latency and no comparison stands. Why is said under "How quiet it was".`;
	return { id: "headline", title: "Latency by arrival rate", markdown, addedLater: false };
}

function introduction(context: Context): string {
	const again = context.cells.some(({ setting }) => setting === "none again");
	const twice = again
		? " The row `none again` is `none`, measured a second time: how far the two lie apart is what luck and the machine do by themselves."
		: "";
	const followed = context.models.flatMap((model) => {
		const [own, before] = [context.value(`pace/${model}/perSecond`), `saturation/${model}/none/answersPerSecond`];
		return own === undefined || context.value(before) === undefined
			? []
			: [
					`${code(model)} ${context.show(`pace/${model}/perSecond`)}, where notebook \`03\` found ${context.show(before)}`,
				];
	});
	const s =
		followed.length === 0
			? ""
			: ` A machine is not equally fast all the time, so S is measured again for the sweep, and the rates are multiples of that one (answers a second: ${followed.join("; ")}).`;
	return `Each number is the middle one of the rounds. *Unstable* means that a queue grew: the number depends on how long one watched and says nothing else.${twice}${s}`;
}

function rateHead(context: Context, model: string, rate: number): string {
	const key = `sweep/${model}/none/x${rate}/ratePerSecond`;
	const perSecond = context.value(key);
	return perSecond === undefined
		? rateText(rate)
		: prose`${rateText(rate)}<br>${fact(key, perSecond, "a second", rounded(Math.round(perSecond)))}`;
}

function latencyCell(context: Context, model: string, setting: string, rate: number, name: string): string {
	const cell = context.cell(model, setting, rate);
	if (cell === undefined) return "not run";
	const key = keyOf(cell);
	const shown = context.show(`${key}/${name}`, "ms", "too few samples");
	if (context.stable(cell)) return shown;
	const kept = `${context.show(`${key}/keptUpRounds`)} of ${context.show(`${key}/rounds`)}`;
	const why =
		context.value(`${key}/keptUpRounds`) === context.value(`${key}/rounds`)
			? "its queue still grew"
			: `kept up in ${kept}`;
	return `${shown}, unstable: ${why}`;
}

/** At the highest rate the settings with a wait against the one without, directly: there a full bus may be worth waiting for. */
const BUSY_WAIT = {
	slower: "So here a timed wait costs the typical request something even when it is busy.",
	faster:
		"So here a timed wait costs the typical request nothing when it is busy: fuller batches save work for everybody.",
	undecided: "So whether a timed wait costs the typical request anything when it is busy is not decided here.",
};

function busiest(context: Context, model: string): string {
	const rate = context.ratesOf(model).at(-1);
	const free = mainBatched(context, model);
	if (rate === undefined || free === undefined) return "";
	const said = context.batchedOf(model).flatMap((setting) => {
		const key = `pair/${model}/${setting}~${free}/x${rate}/p50Ms`;
		// An unstable latency depends on how long one watched; a difference of two such says nothing.
		if (unstableAt(context, model, rate, [setting, free]) !== "") return [];
		return !/w0$/.test(setting) && context.value(`${key}/median`) !== undefined
			? [{ words: `${code(setting)} ${changeWords(context, key)}`, outcome: outcomeOf(context, key) }]
			: [];
	});
	return said.length === 0
		? ""
		: `\n\nThe p50 at ${rateText(rate)}, against ${code(free)} directly, on the same arrivals: ${said.map(({ words }) => words).join("; ")}. ${
				BUSY_WAIT[
					new Set(said.map(({ outcome }) => outcome)).size === 1 ? (said[0]?.outcome ?? "undecided") : "undecided"
				]
			}`;
}

/** The lesson's latencies that have a counterpart here; its settings are named as ours are. */
export function besideLesson(context: Context, model: string): string {
	const rows = context.cells
		.filter((cell) => cell.model === model)
		.flatMap((cell) =>
			["p50Ms", "p99Ms"].flatMap((name) => {
				const key = `${keyOf(cell)}/${name}`;
				const lesson = context.lesson(key, "ms");
				if (lesson === "–" || context.value(key) === undefined) return [];
				const what = `${name === "p50Ms" ? "p50" : "p99"} of ${code(cell.setting)} at ${rateText(cell.rateMultiple)}`;
				return [[what, lesson, latencyCell(context, model, cell.setting, cell.rateMultiple, name)]];
			}),
		);
	return rows.length === 0 ? "" : table([["", "the lesson", "here"], ...rows]);
}

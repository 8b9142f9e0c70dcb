import { dialsOf } from "../cells.js";
import { fact, prose } from "../prose.js";
import { table } from "../table.js";
import { type Context, code, keyOf, listed, placeOf, rateText, type Section, verdictWords } from "./context.js";

/** The headline: p99 by rate, with what is no stable number said beside it. */
export function headline(context: Context): Section | null {
	if (context.cells.length === 0) return nothingStands(context);
	const parts = context.models.flatMap((model) => {
		const rates = context.ratesOf(model);
		if (rates.length === 0) return [];
		const rows = context
			.settingsOf(model)
			.map((setting) => [code(setting), ...rates.map((rate) => latencyCell(context, model, setting, rate, "p99Ms"))]);
		const medians = context
			.settingsOf(model)
			.map((setting) => [code(setting), ...rates.map((rate) => latencyCell(context, model, setting, rate, "p50Ms"))]);
		const head = ["", ...rates.map((rate) => rateText(rate))];
		const kept = context
			.settingsOf(model)
			.map((setting) => `${code(setting)} ${highest(context, `sweep/${model}/${setting}/highestKept`)}`);
		return [
			`**${code(model)}**, p99, median over the rounds\n\n${table([head, ...rows])}\n\np50\n\n${table([head, ...medians])}\n\nHighest rate kept up with in every round, and at every lower one: ${listed(kept)}.${besideLesson(context, model)}`,
		];
	});
	return { id: "headline", title: "Latency by arrival rate", markdown: parts.join("\n\n"), addedLater: false };
}

/** Open-loop runs that are all INVALID leave no evidence; that is said, never passed over. */
function nothingStands(context: Context): Section | null {
	const runs = context.facts.runs.filter(({ kind }) => kind === "open");
	if (runs.length === 0) return null;
	const markdown = `All ${context.show("quiet/runs")} open-loop runs are INVALID, so no latency and no comparison stands. Why is said under "How quiet it was".`;
	return { id: "headline", title: "Latency by arrival rate", markdown, addedLater: false };
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

/** The highest rate of a setting, or words where it kept up at none. */
function highest(context: Context, key: string): string {
	return context.value(key) === 0 ? "none of them" : context.show(key, "× S");
}

/** The lesson's numbers that have a counterpart here; its settings are named as ours are. */
function besideLesson(context: Context, model: string): string {
	if (model !== "gbt") return "";
	const rows = context.cells
		.filter((cell) => cell.model === model)
		.flatMap((cell) =>
			["p50Ms", "p99Ms"].flatMap((name) => {
				const key = `${keyOf(cell)}/${name}`;
				const lesson = context.lesson(key, "ms");
				return lesson === "–" || context.value(key) === undefined
					? []
					: [
							[
								`${name === "p50Ms" ? "p50" : "p99"} of ${code(cell.setting)} at ${rateText(cell.rateMultiple)}`,
								lesson,
								context.show(key, "ms"),
							],
						];
			}),
		);
	return rows.length === 0
		? ""
		: `\n\nBeside the lesson, which ran Python on another machine:\n\n${table([["", "the lesson", "here"], ...rows])}`;
}

/** What a setting changes at the lowest rate, against none, round by round on the same arrivals. */
export function priceOfWait(context: Context): Section | null {
	const parts = context.models.flatMap((model) => {
		const rate = context.ratesOf(model)[0];
		if (rate === undefined) return [];
		const settings = context
			.settingsOf(model)
			.filter((setting) => setting !== "none" && dialsOf(setting.replace(/ again$/, "")).batched);
		const rows = settings.flatMap((setting) =>
			["p50Ms", "p99Ms"].flatMap((name) => {
				const key = `pair/${model}/${setting}~none/x${rate}/${name}`;
				if (context.value(`${key}/median`) === undefined) return [];
				return [
					[
						`${code(setting)} ${name === "p50Ms" ? "p50" : "p99"}`,
						context.show(`${key}/median`, "ms"),
						context.show(`${key}/low`, "ms"),
						context.show(`${key}/high`, "ms"),
						verdictWords(context, key),
					],
				];
			}),
		);
		if (settings.length > 0 && rows.length === 0) {
			return [
				`**${code(model)}**: there is no round in which two settings were both valid at ${rateText(rate)} on a machine that kept its speed, so nothing is compared.`,
			];
		}
		if (rows.length === 0) return [];
		const coverage = `pair/${model}/${settings[0] ?? ""}~none/x${rate}/p50Ms`;
		return [
			`**${code(model)}** at ${rateText(rate)}, minus ${code("none")}\n\n${table([["", "median", "smallest", "largest", "verdict"], ...rows])}\n\nSmallest to largest of the rounds holds the true median in ${context.show(`${coverage}/coveragePercent`, "%")} of experiments; no p below ${context.show(`${coverage}/smallestP`)} can come out of so few rounds. Two settings that each differ from ${code("none")} are not ranked by that.`,
		];
	});
	return parts.length === 0
		? null
		: {
				id: "price-of-wait",
				title: "The price of a wait where it is quiet",
				markdown: parts.join("\n\n"),
				addedLater: false,
			};
}

/** W asked and W given, with the share of timers that rang early. */
export function realWaits(context: Context): Section | null {
	const rows = context.cells.flatMap((cell) => {
		if (!dialsOf(cell.setting.replace(/ again$/, "")).batched || cell.setting === "b1w0") return [];
		const key = keyOf(cell);
		if (context.value(`${key}/realWaitMs`) === undefined) return [];
		const asked = fact(`asked/${cell.setting}`, dialsOf(cell.setting).maxWaitMs, "ms");
		return [
			[
				placeOf(cell),
				prose`${asked}`,
				context.show(`${key}/realWaitMs`, "ms"),
				context.show(`${key}/earlyPercent`, "%", "no timer"),
			],
		];
	});
	if (rows.length === 0) return null;
	const markdown = `Median wait of the first row of batches that did not fill.\n\n${table([["", "W asked", "really waited", "left before W"], ...rows])}\n\nThe W one sets is a floor, not an exact time: on Node a timer can even ring early, and the batcher then waits again.`;
	return { id: "real-waits", title: "W asked and W given", markdown, addedLater: false };
}

/** Batch sizes by rate, and why batches left. */
export function batches(context: Context): Section | null {
	const rows = context.cells.flatMap((cell) => {
		const key = keyOf(cell);
		if (context.value(`${key}/meanBatch`) === undefined) return [];
		const reasons = ["full", "timer", "idle", "deadline", "drain"].flatMap((name) =>
			context.value(`${key}/${name}Percent`) === undefined
				? []
				: [`${name} ${context.show(`${key}/${name}Percent`, "%")}`],
		);
		const lesson = cell.model === "gbt" ? context.lesson(`${key}/meanBatch`) : "–";
		return [[placeOf(cell), context.show(`${key}/meanBatch`), lesson, reasons.join(", ")]];
	});
	if (rows.length === 0) return null;
	return {
		id: "batches",
		title: "Batch sizes and flush reasons",
		markdown: table([["", "mean rows", "the lesson's", "left because"], ...rows]),
		addedLater: false,
	};
}

/** Medians of the three stages inside the handler, in the round that kept the stamps. */
export function stages(context: Context): Section | null {
	const rows = context.cells.flatMap((cell) => {
		const key = keyOf(cell);
		if (context.value(`${key}/beforeModelUs`) === undefined) return [];
		return [
			[
				placeOf(cell),
				context.show(`${key}/beforeModelUs`, "µs"),
				context.show(`${key}/modelAndWaitUs`, "µs"),
				context.show(`${key}/afterModelUs`, "µs"),
			],
		];
	});
	if (rows.length === 0) return null;
	return {
		id: "stages",
		title: "Inside the handler",
		markdown: `Medians over the requests of one round.\n\n${table([["", "body, check, look-up", "wait and model", "building the answer"], ...rows])}\n\nThe lesson: ${prose`${fact("reference/lesson-166", 50, "µs")}`} before, ${prose`${fact("reference/lesson-168", 590, "µs")}`} in the model with ${code("none")}, ${prose`${fact("reference/lesson-167", 12, "µs")}`} after.`,
		addedLater: false,
	};
}

import { smallestP } from "../../stats/index.js";
import { fact, prose, rounded } from "../prose.js";
import { type Context, code, keyOf, listed, rateText } from "./context.js";

/** How a latency changed in a paired comparison: all rounds went one way, or nothing can be said. */
export type Outcome = "faster" | "slower" | "undecided";

/** undefined: the two were not compared. One round by itself decides nothing. */
export function outcomeOf(context: Context, key: string): Outcome | undefined {
	const [agree, rounds, median] = ["agree", "rounds", "median"].map((name) => context.value(`${key}/${name}`));
	if (agree === undefined || rounds === undefined || median === undefined) return undefined;
	if (rounds < 2 || agree < rounds) return "undecided";
	return median < 0 ? "faster" : "slower";
}

/**
 * A verdict in words. "Told apart" takes five rounds; fewer are only *seen*, and fewer that disagree say nothing: of
 * three rounds two always go the same way.
 */
export function verdictWords(context: Context, key: string): string {
	const outcome = outcomeOf(context, key);
	const [agree, rounds, toldApart] = ["agree", "rounds", "toldApart"].map((name) => context.value(`${key}/${name}`));
	if (outcome === undefined || agree === undefined || rounds === undefined) return "not compared";
	const counts = prose`${fact(`${key}/agree`, agree)} of ${fact(`${key}/rounds`, rounds)} rounds`;
	if (rounds < 2) return "undecided: one round only";
	if (toldApart === 0) return `not told apart (${counts} agree)`;
	if (outcome === "undecided") return "undecided: the rounds disagree";
	return toldApart === undefined ? `${outcome}, seen in ${counts}` : `${outcome}, **told apart** in ${counts}`;
}

/** "+2.69 ms" or "−0.3 ms": a difference says which way it goes. */
export function signed(context: Context, key: string, missing = "not compared"): string {
	const value = context.value(key);
	if (value === undefined) return missing;
	const sign = value > 0 ? "+" : value < 0 ? "−" : "";
	return prose`${context.fact(key, value, "ms", `${sign}${rounded(Math.abs(value))}`)}`;
}

/** "+2.69 ms (slower, seen in 3 of 3 rounds)" */
export function changeWords(context: Context, key: string): string {
	if (context.value(`${key}/median`) === undefined) return "not compared";
	return `${signed(context, `${key}/median`)} (${verdictWords(context, key)})`;
}

/**
 * A change that all rounds agree on, yet no larger than the one between `none` and itself: that much the machine does
 * alone.
 */
export function noMoreThanLuck(context: Context, model: string, setting: string, rate: number, name: string): boolean {
	const key = (one: string) => `pair/${model}/${one}~none/x${rate}/${name}`;
	const outcome = outcomeOf(context, key(setting));
	const [change, again] = [setting, "none again"].map((one) => context.value(`${key(one)}/median`));
	if (outcome !== "faster" && outcome !== "slower") return false;
	return change !== undefined && again !== undefined && Math.abs(change) <= Math.abs(again);
}

/** "+0.27 ms (slower, seen in 3 of 3 rounds, yet no more than `none` against itself)" */
export function againstNone(context: Context, model: string, setting: string, rate: number, name: string): string {
	const words = changeWords(context, `pair/${model}/${setting}~none/x${rate}/${name}`);
	return noMoreThanLuck(context, model, setting, rate, name)
		? words.replace(/\)$/, ", yet no more than `none` against itself)")
		: words;
}

/** What so many rounds can prove at best, and what luck does with them. */
export function luckWords(rounds: number, key: string): string {
	if (rounds < 2) return "With one round nothing can be said about luck.";
	const percent = prose`${fact(`rule/luckPercent/${rounds}`, 100 * smallestP(rounds), "%")}`;
	const count = prose`${fact(key, rounds)}`;
	const always = rounds === 3 ? " Of three rounds, two always go the same way: only three of three say anything." : "";
	const proof =
		rounds < 5
			? "So nothing here is proved; it is what was seen."
			: "That is seldom enough to say *told apart*, and too often to call it proved.";
	return `With ${count} rounds, luck alone makes all of them agree in ${percent} of comparisons.${always} ${proof}`;
}

/** Those of the settings that were not stable at a rate, "`b32w0` and `b32w2`"; empty where all were. */
export function unstableAt(context: Context, model: string, rate: number, settings: readonly string[]): string {
	const shaky = settings.filter((setting) => {
		const cell = context.cell(model, setting, rate);
		return cell !== undefined && !context.stable(cell);
	});
	return listed(shaky.map(code));
}

/** Up to where a setting kept up, and what happened at the next rate tried. The highest rate tried is no limit. */
export function keptWords(context: Context, model: string, setting: string): string {
	const cells = context.cells.filter((cell) => cell.model === model && cell.setting === setting);
	const key = `sweep/${model}/${setting}/highestKept`;
	const highest = context.value(key);
	const name = code(setting);
	if (highest === undefined || cells.length === 0) return `${name} was not measured`;
	const next = cells.find(({ rateMultiple }) => rateMultiple > highest);
	if (next === undefined)
		return `${name} kept up at every rate tried, the highest **${context.show(key, "× S")}** (its limit was not reached)`;
	const [kept, rounds] = ["keptUpRounds", "rounds"].map((what) => context.value(`${keyOf(next)}/${what}`));
	const where = rateText(next.rateMultiple);
	const some = prose`in ${fact(`${keyOf(next)}/keptUpRounds`, kept ?? 0)} of ${fact(`${keyOf(next)}/rounds`, rounds ?? 0)} rounds only`;
	if (highest === 0)
		return kept === 0
			? `${name} fell behind at the lowest rate tried already, ${where}`
			: `${name} kept up ${some} at the lowest rate tried, ${where}`;
	const upTo = `${name} kept up to **${context.show(key, "× S")}**`;
	return kept === 0
		? `${upTo} and fell behind at the next rate tried, ${where}`
		: `${upTo}, and at the next rate tried, ${where}, ${some}`;
}

/** "half of S", or the rate as a multiple of S. */
export function rateWords(rate: number): string {
	return rate === 0.5 ? "half of S" : rateText(rate);
}

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A small count as a word; in prose it needs no key then. */
export function countWord(count: number): string {
	return NUMBERS[count] ?? code(String(count));
}

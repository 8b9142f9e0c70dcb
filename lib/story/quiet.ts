import { fact, prose } from "../report/index.js";
import { median, toldApart } from "../stats/index.js";
import { differences, settingsOf } from "./sweep.js";
import { table, tell } from "./tell.js";
import type { Source } from "./values.js";

const NO_PAIRS =
	"No round of this comparison stands: the runs were too short for this percentile (the slowest of a hundred takes some hundreds of requests), or the machine changed its speed in each of them.";

/** One setting against `none`: the difference of one quantity in each round, ms. */
export interface AgainstNone {
	readonly setting: string;
	readonly differencesMs: readonly number[];
}

function againstNone(source: Source, model: string, x: number, name: string): AgainstNone[] {
	return settingsOf(source, model)
		.filter((setting) => setting !== "none")
		.map((setting) => ({ setting, differencesMs: differences(source, model, setting, "none", x, name) }))
		.filter(({ differencesMs }) => differencesMs.length > 0);
}

function changes(model: string, x: number, name: string, head: string, found: readonly AgainstNone[]): string {
	const rows = found.map(({ setting, differencesMs }) =>
		pairedRow(`pair/${model}/${setting}~none/x${x}/${name}`, setting, differencesMs),
	);
	return table([["", head, "lowest round", "highest round", "slower or faster?"], ...rows]);
}

function pairedRow(key: string, setting: string, diffs: readonly number[]): string[] {
	return [
		`\`${setting}\``,
		prose`${fact(`${key}/median`, median(diffs), "ms")}`,
		prose`${fact(`${key}/low`, Math.min(...diffs), "ms")}`,
		prose`${fact(`${key}/high`, Math.max(...diffs), "ms")}`,
		verdict(key, diffs),
	];
}

/** "slower, seen in 3 of 3": the direction, and what so many rounds allow to be said of it. */
export function verdict(key: string, diffs: readonly number[]): string {
	const { kind, agreeing, rounds, direction } = toldApart(diffs);
	const counts = prose`${fact(`${key}/agree`, agreeing)} of ${fact(`${key}/rounds`, rounds)}`;
	if (rounds < 2) return "undecided (one round only)";
	if (agreeing < rounds) return kind === "tooFewRounds" ? `undecided (${counts})` : `not told apart (${counts})`;
	const word = direction < 0 ? "faster" : "slower";
	return kind === "toldApart" ? `${word}, **told apart** in ${counts}` : `${word}, seen in ${counts}`;
}

const MIDDLE =
	"The change is the middle one of the rounds' differences (that is not the difference of the two middle values in the tables above); a minus means faster than `none`.";

/** What the waits add to the median where it is quiet. */
export function priceOfWait(source: Source, model: string, x = 0.5): void {
	const found = againstNone(source, model, x, "p50Ms");
	if (found.length === 0) {
		tell(NO_PAIRS);
		return;
	}
	const words = found.map(({ setting, differencesMs }) => `- ${priceInWords(setting, differencesMs)}`);
	tell(`${changes(model, x, "p50Ms", "change of the median", found)}\n\n${MIDDLE}\n\n${words.join("\n")}`);
}

/** Does everybody pay for the wait? One sentence a setting, right whichever way it falls. */
export function priceInWords(setting: string, diffs: readonly number[]): string {
	const wait = Number(/^b\d+w([\d.]+)$/.exec(setting)?.[1] ?? 0);
	const { agreeing, rounds, direction } = toldApart(diffs);
	const agreed = agreeing === rounds && rounds > 1;
	if (!agreed)
		return `\`${setting}\`: ${rounds < 2 ? "there is only one round" : "the rounds disagree"}, so nothing is said about the typical request.`;
	if (wait === 0)
		return direction > 0
			? `\`${setting}\` waits for nobody on purpose, and still the typical request was slower in every round: each batch leaves one turn of the loop later, and when it is quiet there is nobody to share that with.`
			: `\`${setting}\` waits for nobody on purpose, and the typical request was even faster in every round.`;
	return direction > 0
		? `\`${setting}\`: the typical request pays for the wait, in every round.`
		: `\`${setting}\`: the typical request was faster in every round, in spite of the wait.`;
}

/** And what batching does to the slowest requests there. */
export function quietTail(source: Source, model: string, x = 0.5): void {
	const found = againstNone(source, model, x, "p99Ms");
	tell(
		found.length === 0
			? NO_PAIRS
			: `${changes(model, x, "p99Ms", "change of the p99", found)}\n\n${MIDDLE}\n\n${tailInWords(found)}`,
	);
}

/** Did the slowest gain? Right whichever way it falls. */
export function tailInWords(found: readonly AgainstNone[]): string {
	const of = (wanted: (diffs: readonly number[]) => boolean) =>
		found.filter(({ differencesMs }) => wanted(differencesMs)).map(({ setting }) => `\`${setting}\``);
	const agreed = (diffs: readonly number[]) => toldApart(diffs).agreeing === diffs.length && diffs.length > 1;
	const faster = of((diffs) => agreed(diffs) && toldApart(diffs).direction < 0);
	const slower = of((diffs) => agreed(diffs) && toldApart(diffs).direction > 0);
	const open = of((diffs) => !agreed(diffs));
	const names = (settings: readonly string[]) => settings.join(", ");
	return [
		faster.length === 0
			? ""
			: `The slowest requests were faster in every round with ${names(faster)}: they gained from sharing.`,
		slower.length === 0
			? ""
			: `The slowest requests were slower in every round with ${names(slower)}: what the bus adds is more than what sharing wins back.`,
		open.length === 0 ? "" : `Undecided: ${names(open)}.`,
	]
		.filter((text) => text !== "")
		.join(" ");
}

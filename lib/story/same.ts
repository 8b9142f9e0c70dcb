import { fact, prose } from "../report/index.js";
import { againstItself, smallestP, toldApart } from "../stats/index.js";
import { stillGrew } from "./stable.js";
import { pairedByRound, ratesOf } from "./sweep.js";
import { table, tell } from "./tell.js";
import { over, perRound, runsOf, type Source } from "./values.js";

/** One rate at which `none` was held against itself. */
export interface SameAgainstSame {
	readonly model: string;
	readonly rateMultiple: number;
	/** First `none` minus the second, p99, ms, a round. */
	readonly differencesMs: readonly number[];
}

function comparisons(source: Source, models: readonly string[]): SameAgainstSame[] {
	return models.flatMap((model) =>
		ratesOf(source, model).flatMap((rateMultiple) => {
			const filter = { kind: "open", model, setting: "none", rateMultiple } as const;
			const differencesMs = pairedByRound(
				runsOf(source, { ...filter, role: "setting" }),
				runsOf(source, { ...filter, role: "aa" }),
				"p99Ms",
			);
			return differencesMs.length === 0 ? [] : [{ model, rateMultiple, differencesMs }];
		}),
	);
}

/** `none` against itself: what no difference looks like on this machine. */
export function sameAgainstSame(source: Source, models: readonly string[]): void {
	const found = comparisons(source, models);
	if (found.length === 0) {
		tell(
			"There is no valid pair of runs of `none` with itself: this profile runs it once, or too briefly for a p99, or the machine changed its speed in every round.",
		);
		return;
	}
	const rows = found.map(({ model, rateMultiple: x, differencesMs }) => {
		const filter = { kind: "open", model, setting: "none", rateMultiple: x } as const;
		const p99 = (role: "setting" | "aa", setting: string) => {
			const value = over(perRound(source, { ...filter, role }, "p99Ms"));
			const stable = runsOf(source, { ...filter, role }).every(
				(run) => run.summary.keepsUp === true && !stillGrew(source, run),
			);
			const shown = fact(`sweep/${model}/${setting}/x${x}/p99Ms`, value ?? 0, "ms");
			return value === undefined ? "–" : prose`${shown}${stable ? "" : ", unstable"}`;
		};
		const key = `aa/${model}/x${x}`;
		return [
			`\`${model}\``,
			prose`${fact(`rate/x${x}`, x, "× S")}`,
			p99("setting", "none"),
			p99("aa", "none again"),
			prose`${fact(`${key}/agree`, toldApart(differencesMs).agreeing)} of ${fact(`${key}/rounds`, differencesMs.length)}`,
		];
	});
	tell(
		`${table([["", "rate", "p99 of `none`", "p99 of `none` again", "rounds that went the same way"], ...rows])}\n\n${sameInWords(found)}`,
	);
}

/** So seldom luck alone makes so many comparisons agree: then it was not luck alone. */
const MORE_THAN_LUCK = 0.05;

/** How often all rounds agreed where nothing differs, beside what luck does; one line a model. */
export function sameInWords(found: readonly SameAgainstSame[]): string {
	const models = [...new Set(found.map(({ model }) => model))];
	const lines = models.map((model) => {
		const own = found.filter((one) => one.model === model);
		const alike = own.filter(({ differencesMs }) => toldApart(differencesMs).agreeing === differencesMs.length).length;
		const key = `aa/${model}`;
		return prose`- \`${model}\`: all rounds agreed in ${fact(`${key}/allAgree`, alike)} of ${fact(`${key}/comparisons`, own.length)} comparisons.`;
	});
	const rounds = Math.max(0, ...found.map(({ differencesMs }) => differencesMs.length));
	if (rounds < 2)
		return "Only one round of each stands. One round always agrees with itself, so nothing is said about luck.";
	const two = rounds === 3 ? " Of three rounds two always go the same way, so that says nothing." : "";
	const luck = fact(`rule/luckPercent/${rounds}`, 100 * smallestP(rounds), "%");
	const { p } = againstItself(found.map(({ differencesMs }) => differencesMs));
	const more =
		p < MORE_THAN_LUCK
			? " That is more often than luck: from round to round this machine drifts, and here even rounds that all agree mean little."
			: "";
	return prose`${lines.join("\n")}\n\nLuck alone makes all rounds agree in ${luck} of comparisons with so many rounds.${two}${more} The two p99s of a row come from one and the same setting: whatever lies between them is chance, and a difference between two *settings* should be clearly larger before it means anything (this pair, too, is only one draw).`;
}

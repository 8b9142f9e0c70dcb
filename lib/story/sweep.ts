import type { FinishedRun } from "../record/index.js";
import { fact, prose } from "../report/index.js";
import { median, smallestP, toldApart } from "../stats/index.js";
import { listed, table, tell } from "./tell.js";
import { over, perRound, runsOf, type Source } from "./values.js";

/** Rate multiples at which `model` was measured, ascending. */
export function ratesOf(source: Source, model: string): number[] {
	const rates = runsOf(source, { kind: "open", model }).flatMap(({ rateMultiple }) =>
		rateMultiple === null ? [] : [rateMultiple],
	);
	return [...new Set(rates)].sort((a, b) => a - b);
}

/** Settings that were compared, `none` first. */
export function settingsOf(source: Source, model: string): string[] {
	const settings = runsOf(source, { kind: "open", model, role: "setting" }).map(({ setting }) => setting);
	return [...new Set(settings)].sort(
		(a, b) => Number(b === "none") - Number(a === "none") || a.localeCompare(b, "en", { numeric: true }),
	);
}

const keptUp = (run: FinishedRun) => run.summary.keepsUp === true;

/** True when the setting kept up in every round at this rate. */
export function keptUpEverywhere(source: Source, model: string, setting: string, rateMultiple: number): boolean {
	const runs = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple });
	return runs.length > 0 && runs.every(keptUp);
}

/** True when at least one valid run of the setting is there. */
function wasRun(source: Source, model: string, setting: string): boolean {
	return runsOf(source, { kind: "open", model, setting, role: "setting" }).length > 0;
}

/** The highest rate at which the setting kept up in every round; 0 for none. */
export function highestKept(source: Source, model: string, setting: string): number {
	return Math.max(0, ...ratesOf(source, model).filter((x) => keptUpEverywhere(source, model, setting, x)));
}

export function keepsUp(source: Source, model: string): void {
	const rates = ratesOf(source, model);
	if (rates.length === 0) {
		tell(`There is no valid run of \`${model}\` to tell about.`);
		return;
	}
	const head = ["", ...rates.map((x) => prose`${fact(`rate/x${x}`, x, "× S")}`)];
	const rows = settingsOf(source, model).map((setting) => [
		`\`${setting}\``,
		...rates.map((x) => {
			const runs = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple: x });
			const p99 = over(perRound(source, { kind: "open", model, setting, role: "setting", rateMultiple: x }, "p99Ms"));
			if (runs.length === 0) return "not run";
			const key = `sweep/${model}/${setting}/x${x}`;
			const kept = runs.filter(keptUp).length;
			const shown = p99 === undefined ? "too few samples" : prose`${fact(`${key}/p99Ms`, p99, "ms")}`;
			if (kept === runs.length) return shown;
			return prose`${shown}, unstable: kept up in ${fact(`${key}/keptUpRounds`, kept)} of ${fact(`${key}/rounds`, runs.length)}`;
		}),
	]);
	const none = highestKept(source, model, "none");
	const others = settingsOf(source, model)
		.filter((setting) => setting !== "none" && wasRun(source, model, setting))
		.map((setting) => ({ setting, highest: highestKept(source, model, setting) }));
	const best = others.reduce<(typeof others)[number] | undefined>(
		(a, b) => (a === undefined || b.highest > a.highest ? b : a),
		undefined,
	);
	tell(
		`The p99 of \`${model}\`, median over the rounds:\n\n${table([head, ...rows])}\n\n${keepingUp(model, none, best)}`,
	);
}

function keepingUp(
	model: string,
	none: number,
	best: { readonly setting: string; readonly highest: number } | undefined,
): string {
	const noneKept =
		none === 0
			? "kept up at none of these rates"
			: prose`kept up to ${fact(`sweep/${model}/none/highestKept`, none, "× S")}`;
	if (best === undefined) return `\`none\` ${noneKept}.`;
	const bestKept =
		best.highest === 0
			? "kept up at none of them"
			: prose`kept up to **${fact(`sweep/${model}/${best.setting}/highestKept`, best.highest, "× S")}**`;
	const verdict =
		best.highest > none
			? "Here the bus decides whether the service lives."
			: best.highest === none
				? "At the rates tried, the bus does not change where the service falls behind."
				: "Here the bus made the service fall behind earlier.";
	return `\`none\` ${noneKept}; the best of the others, \`${best.setting}\`, ${bestKept}. ${verdict}`;
}

/**
 * First minus second of one quantity, round by round, for the rounds that have both. A round in which the machine
 * changed its speed during one of the two runs is void.
 */
export function differences(
	source: Source,
	model: string,
	first: string,
	second: string,
	x: number,
	name: string,
): number[] {
	const filter = { kind: "open", model, role: "setting", rateMultiple: x } as const;
	return pairedByRound(
		runsOf(source, { ...filter, setting: first }),
		runsOf(source, { ...filter, setting: second }),
		name,
	);
}

function pairedByRound(first: readonly FinishedRun[], second: readonly FinishedRun[], name: string): number[] {
	return first.flatMap((run) => {
		const other = second.find(({ round }) => round === run.round);
		const a = run.summary[name];
		const b = other?.summary[name];
		if (other === undefined || run.canary.drifted || other.canary.drifted) return [];
		return typeof a === "number" && typeof b === "number" ? [a - b] : [];
	});
}

const NO_PAIRS =
	"No round of this comparison stands: the runs were too short for this percentile (the slowest of a hundred takes some hundreds of requests), or the machine changed its speed in each of them.";

/** What the timed waits add to the median where it is quiet. */
export function priceOfWait(source: Source, model: string, x = 0.5): void {
	const rows = settingsOf(source, model)
		.filter((setting) => setting !== "none")
		.flatMap((setting) => {
			const diffs = differences(source, model, setting, "none", x, "p50Ms");
			return diffs.length === 0 ? [] : [pairedRow(`pair/${model}/${setting}~none/x${x}/p50Ms`, setting, diffs)];
		});
	if (rows.length === 0) {
		tell(NO_PAIRS);
		return;
	}
	tell(
		`${table([["", "change of the median", "from", "to", "verdict"], ...rows])}\n\nA minus means faster than \`none\`. The change is the middle one of the rounds.`,
	);
}

/** And what batching does to the slowest requests there. */
export function quietTail(source: Source, model: string, x = 0.5): void {
	const rows = settingsOf(source, model)
		.filter((setting) => setting !== "none")
		.flatMap((setting) => {
			const diffs = differences(source, model, setting, "none", x, "p99Ms");
			return diffs.length === 0 ? [] : [pairedRow(`pair/${model}/${setting}~none/x${x}/p99Ms`, setting, diffs)];
		});
	if (rows.length === 0) {
		tell(NO_PAIRS);
		return;
	}
	tell(
		`${table([["", "change of the p99", "from", "to", "verdict"], ...rows])}\n\nRandom arrivals come in clumps. One by one, the last of a clump waits for all the others; with \`b32w0\` those who gathered while the model was busy share the next call. That is why the slowest requests can gain where the median does not.`,
	);
}

function pairedRow(key: string, setting: string, diffs: readonly number[]): string[] {
	const { kind, agreeing, rounds } = toldApart(diffs);
	const words = { toldApart: "**told apart**:", notToldApart: "not told apart:", tooFewRounds: "seen in" }[kind];
	return [
		`\`${setting}\``,
		prose`${fact(`${key}/median`, median(diffs), "ms")}`,
		prose`${fact(`${key}/low`, Math.min(...diffs), "ms")}`,
		prose`${fact(`${key}/high`, Math.max(...diffs), "ms")}`,
		prose`${words} ${fact(`${key}/agree`, agreeing)} of ${fact(`${key}/rounds`, rounds)}`,
	];
}

/** `none` against itself: what no difference looks like on this machine. */
export function sameAgainstSame(source: Source, model: string): void {
	const lines = ratesOf(source, model).flatMap((x) => {
		const filter = { kind: "open", model, setting: "none", rateMultiple: x } as const;
		const diffs = pairedByRound(
			runsOf(source, { ...filter, role: "setting" }),
			runsOf(source, { ...filter, role: "aa" }),
			"p99Ms",
		);
		return diffs.length === 0 ? [] : [{ x, diffs }];
	});
	if (lines.length === 0) {
		tell(
			"There is no valid pair of runs of `none` with itself: this profile runs it once, or too briefly for a p99, or the machine changed its speed in every round.",
		);
		return;
	}
	const alike = lines.filter(({ diffs }) => toldApart(diffs).agreeing === diffs.length);
	const rounds = lines[0]?.diffs.length ?? 0;
	const where = listed(
		lines.map(
			({ x, diffs }) =>
				prose`${fact(`aa/${model}/x${x}/agree`, toldApart(diffs).agreeing)} of ${fact(`aa/${model}/x${x}/rounds`, diffs.length)} rounds at ${fact(`rate/x${x}`, x, "× S")}`,
		),
	);
	tell(
		prose`The two \`none\` went the same way in ${where}. All rounds agreed in ${fact(`aa/${model}/allAgree`, alike.length)} of ${fact(`aa/${model}/comparisons`, lines.length)} comparisons, where nothing but luck was at work; luck alone makes all of ${fact(`aa/${model}/roundsEach`, rounds)} rounds agree in ${fact(`rule/luckPercent/${rounds}`, 100 * smallestP(rounds), "%")} of comparisons.`,
	);
}

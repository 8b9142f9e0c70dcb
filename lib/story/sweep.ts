import type { FinishedRun } from "../record/index.js";
import { fact, isPair, prose } from "../report/index.js";
import { keepingUp, type Reached } from "./keeping-up.js";
import { stillGrew } from "./stable.js";
import { table, tell } from "./tell.js";
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

/** The highest rate up to which the setting kept up at every one, in every round; 0 for none. */
export function highestKept(source: Source, model: string, setting: string): number {
	const measured = ratesOf(source, model).filter((x) => wasRunAt(source, model, setting, x));
	const failed = measured.findIndex((x) => !keptUpEverywhere(source, model, setting, x));
	return (failed < 0 ? measured : measured.slice(0, failed)).at(-1) ?? 0;
}

function wasRunAt(source: Source, model: string, setting: string, rateMultiple: number): boolean {
	return runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple }).length > 0;
}

/** How the p99 grows with the traffic, and how far each setting kept up. */
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
			const grew = runs.filter((run) => stillGrew(source, run)).length;
			if (kept === runs.length && grew === 0) return shown;
			if (kept === runs.length)
				return prose`${shown}, unstable: its queue still grew in ${fact(`${key}/growingRounds`, grew)} of ${fact(`${key}/rounds`, runs.length)}`;
			return prose`${shown}, unstable: kept up in ${fact(`${key}/keptUpRounds`, kept)} of ${fact(`${key}/rounds`, runs.length)}`;
		}),
	]);
	const reached = settingsOf(source, model)
		.filter((setting) => wasRun(source, model, setting))
		.map((setting) => reachedBy(source, model, setting));
	const small = rows.flat().some((cell) => cell.includes("unstable"))
		? "An *unstable* number grows with the length of the run. After a short run it may still look small.\n\n"
		: "";
	tell(
		`The p99 of \`${model}\`, the middle one of the rounds:\n\n${table([head, ...rows])}\n\n${small}${keepingUp(model, rates, reached)}`,
	);
}

function reachedBy(source: Source, model: string, setting: string): Reached {
	const highest = highestKept(source, model, setting);
	const rateMultiple = ratesOf(source, model).find((x) => x > highest);
	if (rateMultiple === undefined) return { setting, highest };
	const runs = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple });
	return { setting, highest, next: { kept: runs.filter(keptUp).length, rounds: runs.length } };
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

/** The same for any two lists of runs. */
export function pairedByRound(first: readonly FinishedRun[], second: readonly FinishedRun[], name: string): number[] {
	return first.flatMap((run) => {
		const other = second.find(({ round }) => round === run.round);
		const a = run.summary[name];
		const b = other?.summary[name];
		if (other === undefined || !isPair(run, other)) return [];
		return typeof a === "number" && typeof b === "number" ? [a - b] : [];
	});
}

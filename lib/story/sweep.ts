import type { FinishedRun } from "../record/index.js";
import { fact, isPair, prose } from "../report/index.js";
import { stillGrew } from "./stable.js";
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

/** The highest rate a setting kept up with; 0 for none. */
export interface Reached {
	readonly setting: string;
	readonly highest: number;
	/** At the next rate tried: in how many of its rounds it kept up all the same. */
	readonly next?: { readonly kept: number; readonly rounds: number };
}

function reachedBy(source: Source, model: string, setting: string): Reached {
	const highest = highestKept(source, model, setting);
	const rateMultiple = ratesOf(source, model).find((x) => x > highest);
	if (rateMultiple === undefined) return { setting, highest };
	const runs = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple });
	return { setting, highest, next: { kept: runs.filter(keptUp).length, rounds: runs.length } };
}

/** How far each setting kept up, and what was not tried. Settings that went equally far share a line. */
export function keepingUp(model: string, rates: readonly number[], reached: readonly Reached[]): string {
	const alike = new Map<string, Reached[]>();
	for (const one of reached) {
		const far = `${one.highest} ${one.next?.kept ?? 0}`;
		alike.set(far, [...(alike.get(far) ?? []), one]);
	}
	const lines = [...alike.values()].map((own) => {
		const names = listed(own.map(({ setting }) => `\`${setting}\``));
		return `- ${names} ${howFar(model, rates, own[0] ?? { setting: "none", highest: 0 })}.`;
	});
	return `${lines.join("\n")}\n\n${whatTheBusChanged(rates, reached)}`;
}

function howFar(model: string, rates: readonly number[], { setting, highest, next: after }: Reached): string {
	const next = rates.find((x) => x > highest);
	const rate = (x: number) => fact(`rate/x${x}`, x, "× S");
	const some = (x: number) => {
		const key = `sweep/${model}/${setting}/x${x}`;
		return prose`in ${fact(`${key}/keptUpRounds`, after?.kept ?? 0)} of ${fact(`${key}/rounds`, after?.rounds ?? 0)} rounds only`;
	};
	const sometimes = (after?.kept ?? 0) > 0;
	if (highest === 0 && sometimes)
		return prose`kept up at ${rate(rates[0] ?? 0)}, the lowest rate tried, ${some(rates[0] ?? 0)}`;
	if (highest === 0) return prose`fell behind at ${rate(rates[0] ?? 0)} already, the lowest rate tried`;
	const kept = prose`kept up to **${fact(`sweep/${model}/${setting}/highestKept`, highest, "× S")}**`;
	if (next === undefined) return `${kept}, the highest rate tried; how much further is not known`;
	return sometimes
		? prose`${kept}, and at ${rate(next)} ${some(next)}; nothing between was tried`
		: prose`${kept} and not at ${rate(next)}; nothing between was tried`;
}

function whatTheBusChanged(rates: readonly number[], reached: readonly Reached[]): string {
	const own = reached.find(({ setting }) => setting === "none");
	const none = own?.highest;
	const others = reached.filter(({ setting }) => setting !== "none");
	if (none === undefined || others.length === 0) return "There is nothing to compare it with.";
	const next = rates.find((x) => x > none);
	const further = others.filter(({ highest }) => next !== undefined && highest >= next);
	if (next !== undefined && further.length > 0) {
		const names = listed(further.map(({ setting }) => `\`${setting}\``));
		const room = none === 0 ? "" : prose` At ${fact(`rate/x${none}`, none, "× S")} \`none\` kept up too.`;
		const not = (own?.next?.kept ?? 0) > 0 ? "only in some" : "did not";
		return prose`At ${fact(`rate/x${next}`, next, "× S")} ${names} kept up in every round, and \`none\` ${not}.${room}`;
	}
	return others.every(({ highest }) => highest < none)
		? "Here the bus made the service fall behind earlier."
		: "At the rates tried, no bus kept up further than `none`.";
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

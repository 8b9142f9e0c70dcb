import { fact, prose } from "../report/index.js";
import { listed } from "./tell.js";

/** The highest rate a setting kept up with; 0 for none. */
export interface Reached {
	readonly setting: string;
	readonly highest: number;
	/** At the next rate tried: in how many of its rounds it kept up all the same. */
	readonly next?: { readonly kept: number; readonly rounds: number };
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

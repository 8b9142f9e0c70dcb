import {
	againstItself,
	comparePaired,
	ROUNDS_FOR_A_VERDICT,
	roundsNeeded,
	smallestFindable,
	smallestP,
	spread,
} from "../../stats/index.js";
import { type Cell, dialsOf, isPair } from "../cells.js";
import type { NumberTable } from "../numbers.js";
import type { RunNumbers } from "./run-numbers.js";

/** A number of both settings on the rounds that both have. */
function differencesOf(first: Cell, second: Cell, numbers: RunNumbers, name: string): [number[], number[]] {
	const pairs = first.runs.flatMap((run) => {
		const other = second.runs.find(({ round }) => round === run.round);
		const a = numbers.get(run.id)?.get(name);
		const b = other === undefined ? undefined : numbers.get(other.id)?.get(name);
		if (other === undefined || a === undefined || b === undefined) return [];
		return isPair(run, other) ? [[a, b] as const] : [];
	});
	return [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
}

/** Each pair of settings at one rate: `pair/gbt/b32w0~none/…` is b32w0 minus none. */
export function pairNumbers(table: NumberTable, cells: readonly Cell[], numbers: RunNumbers): void {
	for (const one of cells) {
		for (const other of cells) {
			if (one === other || one.model !== other.model || one.rateMultiple !== other.rateMultiple) continue;
			for (const name of ["p50Ms", "p99Ms"]) {
				const [a, b] = differencesOf(other, one, numbers, name);
				if (a.length === 0) continue;
				const { median: middle, interval, verdict } = comparePaired(a, b);
				const key = `pair/${one.model}/${one.setting}~${other.setting}/x${one.rateMultiple}/${name}`;
				table.put(`${key}/median`, middle);
				table.put(`${key}/low`, interval.low);
				table.put(`${key}/high`, interval.high);
				table.put(`${key}/agree`, verdict.agreeing);
				table.put(`${key}/rounds`, verdict.rounds);
				table.put(`${key}/coveragePercent`, 100 * interval.coverage);
				table.put(`${key}/smallestP`, verdict.smallestP);
				if (verdict.kind !== "tooFewRounds")
					table.put(`${key}/toldApart`, verdict.kind === "toldApart" ? verdict.direction : 0);
			}
		}
	}
}

/** How many verdicts on batched settings against `none` there are at one rate, and how many luck alone would make agree. */
export function luckNumbers(table: NumberTable, model: string, cells: readonly Cell[]): void {
	for (const { rateMultiple } of cells.filter((cell) => cell.setting === "none")) {
		const rounds = cells
			.filter((cell) => cell.rateMultiple === rateMultiple && /^b\d/.test(cell.setting))
			.flatMap(({ setting }) =>
				["p50Ms", "p99Ms"].flatMap(
					(name) => table.numbers.get(`pair/${model}/${setting}~none/x${rateMultiple}/${name}/rounds`) ?? [],
				),
			);
		if (rounds.length === 0) continue;
		table.put(`luck/${model}/x${rateMultiple}/comparisons`, rounds.length);
		table.put(
			`luck/${model}/x${rateMultiple}/expected`,
			rounds.reduce((sum, count) => sum + smallestP(count), 0),
		);
	}
}

/** What the scatter of `none` against itself lets this machine find, and what a tenth of the p99 of `none` would take. */
function powerNumbers(table: NumberTable, model: string, rateMultiple: number, differences: readonly number[]): void {
	if (differences.length < 2) return;
	const key = `power/${model}/x${rateMultiple}`;
	const sd = spread(differences);
	table.put(`${key}/spreadMs`, sd);
	table.put(`${key}/findableMs`, smallestFindable(sd, ROUNDS_FOR_A_VERDICT));
	const p99Ms = table.numbers.get(`sweep/${model}/none/x${rateMultiple}/p99Ms`);
	if (p99Ms === undefined) return;
	table.put(`${key}/tenthMs`, p99Ms / 10);
	table.put(`${key}/roundsForTenth`, roundsNeeded(p99Ms / 10, sd));
}

/** The second `none` against the first. */
export function selfNumbers(table: NumberTable, model: string, cells: readonly Cell[], numbers: RunNumbers): void {
	const lists: number[][] = [];
	for (const again of cells.filter((cell) => cell.setting === "none again")) {
		const none = cells.find((cell) => cell.setting === "none" && cell.rateMultiple === again.rateMultiple);
		if (none === undefined) continue;
		const [a, b] = differencesOf(again, none, numbers, "p99Ms");
		if (a.length === 0) continue;
		const { differences, verdict } = comparePaired(a, b);
		lists.push([...differences]);
		table.put(`aa/${model}/x${again.rateMultiple}/agree`, verdict.agreeing);
		table.put(`aa/${model}/x${again.rateMultiple}/rounds`, verdict.rounds);
		powerNumbers(table, model, again.rateMultiple, differences);
	}
	if (lists.length === 0) return;
	const { unanimous, comparisons, expected, rounds, p } = againstItself(lists);
	table.put(`aa/${model}/allAgree`, unanimous);
	table.put(`aa/${model}/comparisons`, comparisons);
	table.put(`aa/${model}/expected`, expected);
	table.put(`aa/${model}/roundsEach`, rounds);
	table.put(`aa/${model}/soManyByLuckPercent`, 100 * p);
}

/** In how many settings with a W the median is told apart from none's, and the other way round for W = 0. */
export function waitNumbers(table: NumberTable, model: string, cells: readonly Cell[]): void {
	const none = cells.filter((cell) => cell.setting === "none");
	for (const { rateMultiple } of none) {
		const others = cells.filter(
			(cell) => cell.rateMultiple === rateMultiple && dialsOf(cell.setting.replace(/ again$/, "")).batched,
		);
		const verdict = (one: Cell, other: string, name: string) =>
			table.numbers.get(`pair/${model}/${one.setting}~${other}/x${rateMultiple}/${name}/toldApart`);
		const timed = others.filter((cell) => dialsOf(cell.setting).maxWaitMs > 0);
		const free = others.filter((cell) => dialsOf(cell.setting).maxWaitMs === 0);
		const key = `wait/${model}/x${rateMultiple}`;
		table.put(`${key}/timedSettings`, timed.length);
		table.put(`${key}/freeSettings`, free.length);
		if (others.some((cell) => verdict(cell, "none", "p50Ms") === undefined)) continue;
		table.put(`${key}/timedSlower`, timed.filter((cell) => verdict(cell, "none", "p50Ms") === 1).length);
		table.put(`${key}/freeNotToldApart`, free.filter((cell) => verdict(cell, "none", "p50Ms") === 0).length);
		const capped = free.filter((cell) => dialsOf(cell.setting).maxBatchSize > 1);
		const open = timed.some((cell) => capped.some((other) => verdict(cell, other.setting, "p99Ms") === undefined));
		const beatsAll = timed.filter((cell) => capped.every((other) => verdict(cell, other.setting, "p99Ms") === -1));
		if (capped.length > 0 && !open) table.put(`${key}/timedBeatsAllFree`, beatsAll.length);
	}
}

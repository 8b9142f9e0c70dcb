import { againstItself, comparePaired, ROUNDS_FOR_A_VERDICT, smallestFindable, spread } from "../../stats/index.js";
import { type Cell, dialsOf } from "../cells.js";
import type { NumberTable } from "../numbers.js";
import type { RunNumbers } from "./run-numbers.js";

/** second − first on the rounds that both have, without those in which the machine's speed drifted. */
function differencesOf(first: Cell, second: Cell, numbers: RunNumbers, name: string): [number[], number[]] {
	const pairs = first.runs.flatMap((run) => {
		const other = second.runs.find(({ round }) => round === run.round);
		const a = numbers.get(run.id)?.get(name);
		const b = other === undefined ? undefined : numbers.get(other.id)?.get(name);
		if (other === undefined || a === undefined || b === undefined) return [];
		return run.canary.drifted || other.canary.drifted ? [] : [[a, b] as const];
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
		if (differences.length < 2) continue;
		const sd = spread(differences);
		table.put(`power/${model}/x${again.rateMultiple}/spreadMs`, sd);
		table.put(`power/${model}/x${again.rateMultiple}/findableMs`, smallestFindable(sd, ROUNDS_FOR_A_VERDICT));
	}
	if (lists.length === 0) return;
	const { unanimous, comparisons, expected, rounds } = againstItself(lists);
	table.put(`aa/${model}/allAgree`, unanimous);
	table.put(`aa/${model}/comparisons`, comparisons);
	table.put(`aa/${model}/expected`, expected);
	table.put(`aa/${model}/roundsEach`, rounds);
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
		const beatsAll = timed.filter((cell) => capped.every((other) => verdict(cell, other.setting, "p99Ms") === -1));
		if (capped.length > 0) table.put(`${key}/timedBeatsAllFree`, beatsAll.length);
	}
}

import { middleOf } from "./arithmetic.js";
import type { Draft } from "./draft.js";
import type { ByRate, ByRound } from "./grouping.js";

/** All batches of a cell: rows and reasons are counted back from each round's shares, then added up. */
export function putBatchTotals(draft: Draft, key: string, runs: ByRound): void {
	const count = new Map<string, number>();
	let [all, rows] = [0, 0];
	for (const run of runs.values()) {
		const batches = draft.of(run, "batches");
		if (batches === undefined) continue;
		all += batches;
		rows += batches * (draft.of(run, "meanBatch") ?? 0);
		for (const name of ["full", "timer", "idle", "deadline", "drain"]) {
			const left = ((draft.of(run, `${name}Percent`) ?? 0) / 100) * batches;
			count.set(name, (count.get(name) ?? 0) + left);
		}
	}
	if (all === 0) return;
	draft.table.put(`${key}/count`, all);
	draft.table.put(`${key}/meanBatch`, rows / all);
	for (const [name, left] of count) if (left > 0) draft.table.put(`${key}/${name}Percent`, (100 * left) / all);
}

/** The S that the rates of a sweep follow, from the rounds of `none` at its lowest rate. */
export function putPace(draft: Draft, model: string, rates: ByRate): void {
	for (const rate of [...rates.keys()].sort((a, b) => a - b)) {
		const runs = rates.get(rate)?.get("none");
		if (runs === undefined) continue;
		const followed = [...runs.values()].map((run) => run.saturationPerSecond ?? Number.NaN).filter(Number.isFinite);
		if (followed.length > 0) draft.table.put(`pace/${model}/perSecond`, middleOf(followed));
		return;
	}
}

import { ends, middleOf } from "./arithmetic.js";
import type { Draft } from "./draft.js";
import type { ByRate, ByRound } from "./grouping.js";

const MEDIANS = [
	"p50Ms",
	"p90Ms",
	"p95Ms",
	"p98Ms",
	"p99Ms",
	"p999Ms",
	"answeredPerSecond",
	"meanBatch",
	"modelUsPerRow",
	"fullPercent",
	"timerPercent",
	"idlePercent",
	"deadlinePercent",
	"drainPercent",
	"realWaitMs",
	"earlyPercent",
	"beforeHandlerMeanUs",
	"insideHandlerMeanUs",
	"beforeModelUs",
	"modelAndWaitUs",
	"afterModelUs",
	"clumpAll",
	"clumpSlowest",
	"meanMs",
	"insideByLaw",
	"insideCounted",
	"latenessP99Ms",
];

/** One setting at one rate, over its rounds. */
export function putCell(draft: Draft, key: string, runs: ByRound): void {
	draft.table.put(`${key}/rounds`, runs.size);
	draft.table.put(`${key}/keptUpRounds`, draft.yes(runs.values(), "keepsUp"));
	draft.table.put(`${key}/growingRounds`, draft.yes(runs.values(), "growing"));
	const rates = [...runs.values()].map((run) => run.ratePerSecond ?? Number.NaN);
	draft.table.put(`${key}/ratePerSecond`, middleOf(rates));
	for (const name of MEDIANS) {
		const values: number[] = [];
		for (const run of runs.values()) {
			const value = draft.of(run, name);
			if (value !== undefined) values.push(value);
		}
		if (values.length === 0) continue;
		const [low, high] = ends(values);
		draft.table.put(`${key}/${name}`, middleOf(values));
		draft.table.put(`${key}/${name}Low`, low);
		draft.table.put(`${key}/${name}High`, high);
	}
}

/** The highest rate up to which a setting kept up at every one. */
export function putHighest(draft: Draft, model: string, rates: ByRate): void {
	const order = [...rates.keys()].sort((a, b) => a - b);
	for (const name of new Set([...rates.values()].flatMap((settings) => [...settings.keys()]))) {
		let highest = 0;
		for (const rate of order) {
			const runs = rates.get(rate)?.get(name);
			if (runs === undefined) continue;
			if (draft.yes(runs.values(), "keepsUp") < runs.size) break;
			highest = rate;
		}
		draft.table.put(`sweep/${model}/${name}/highestKept`, highest);
	}
}

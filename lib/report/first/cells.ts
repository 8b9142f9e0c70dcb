import { median, overRounds } from "../../stats/index.js";
import type { Cell } from "../cells.js";
import type { NumberTable } from "../numbers.js";
import { type RunNumbers, valuesOf } from "./run-numbers.js";

/** Quantities of a cell that are medians over its rounds. */
const CELL_QUANTITIES = [
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
] as const;

/** One setting at one rate, over its rounds. */
export function cellNumbers(table: NumberTable, cell: Cell, numbers: RunNumbers): void {
	const key = `sweep/${cell.model}/${cell.setting}/x${cell.rateMultiple}`;
	table.put(`${key}/rounds`, cell.runs.length);
	table.put(`${key}/keptUpRounds`, cell.runs.filter((run) => numbers.get(run.id)?.get("keepsUp") === 1).length);
	table.put(`${key}/growingRounds`, cell.runs.filter((run) => numbers.get(run.id)?.get("growing") === 1).length);
	table.put(`${key}/ratePerSecond`, median(cell.runs.flatMap(({ ratePerSecond }) => ratePerSecond ?? [])));
	for (const name of CELL_QUANTITIES) {
		const values = valuesOf(cell.runs, numbers, name);
		if (values.length === 0) continue;
		const { median: middle, min, max } = overRounds(values);
		table.put(`${key}/${name}`, middle);
		table.put(`${key}/${name}Low`, min);
		table.put(`${key}/${name}High`, max);
	}
}

/** The highest rate up to which a setting kept up at every one. */
export function highestKept(table: NumberTable, model: string, cells: readonly Cell[], numbers: RunNumbers): void {
	for (const setting of new Set(cells.map((cell) => cell.setting))) {
		let highest = 0;
		for (const cell of cells.filter((other) => other.setting === setting)) {
			if (!cell.runs.every((run) => numbers.get(run.id)?.get("keepsUp") === 1)) break;
			highest = cell.rateMultiple;
		}
		table.put(`sweep/${model}/${setting}/highestKept`, highest);
	}
}

/** What is counted inside against what Little's law says. */
export function littleNumbers(table: NumberTable, cells: readonly Cell[]): void {
	for (const { model, setting, rateMultiple } of cells) {
		const of = (name: string) => table.numbers.get(`sweep/${model}/${setting}/x${rateMultiple}/${name}`) ?? Number.NaN;
		table.put(`little/${model}/${setting}/x${rateMultiple}/ratio`, of("insideCounted") / of("insideByLaw"));
	}
}

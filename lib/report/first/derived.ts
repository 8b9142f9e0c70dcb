import { smallestP } from "../../stats/index.js";
import { cellsOf, modelsOf } from "../cells.js";
import { type Numbers, NumberTable } from "../numbers.js";
import type { RecordFacts } from "../source.js";
import { aloneNumbers, bitNumbers } from "./alone.js";
import { batchTotals, paceNumbers } from "./batches.js";
import { cellNumbers, highestKept, littleNumbers } from "./cells.js";
import { answerNumbers, quietNumbers } from "./conduct.js";
import { luckNumbers, pairNumbers, selfNumbers, waitNumbers } from "./pairs.js";
import type { RunNumbers } from "./run-numbers.js";
import { controlNumbers, saturationNumbers } from "./saturation.js";

function ruleNumbers(table: NumberTable, rounds: readonly number[]): void {
	for (const count of new Set(rounds)) table.put(`rule/luckPercent/${count}`, 100 * smallestP(count));
}

/** Every derived number of a record, from the numbers of its runs, by `batching-lab/stats`. */
export function firstDerived(facts: RecordFacts, numbers: RunNumbers): Numbers {
	const table = new NumberTable();
	for (const [key, value] of [...aloneNumbers(facts.modelAlone), ...bitNumbers(facts.bitChecks)]) table.put(key, value);
	const cells = cellsOf(facts.runs);
	for (const cell of cells) {
		cellNumbers(table, cell, numbers);
		batchTotals(table, cell, numbers);
	}
	pairNumbers(table, cells, numbers);
	for (const model of modelsOf(facts.runs)) {
		const own = cells.filter((cell) => cell.model === model);
		luckNumbers(table, model, own);
		selfNumbers(table, model, own, numbers);
		highestKept(table, model, own, numbers);
		paceNumbers(table, model, own);
		saturationNumbers(table, facts, model, numbers);
		waitNumbers(table, model, own);
		controlNumbers(table, model);
	}
	littleNumbers(table, cells);
	answerNumbers(table, facts.runs, numbers);
	quietNumbers(table, facts.runs);
	ruleNumbers(
		table,
		cells.map(({ runs }) => runs.length),
	);
	return table.numbers;
}

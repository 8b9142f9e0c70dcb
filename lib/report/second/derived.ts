import type { Numbers } from "../numbers.js";
import type { RecordFacts } from "../source.js";
import { secondAlone, secondBits } from "./alone.js";
import { putBatchTotals, putPace } from "./batches.js";
import { putCell, putHighest } from "./cells.js";
import { putAnswers, putJournal, putQuiet, putRatios } from "./conduct.js";
import { Draft } from "./draft.js";
import { sweepOf } from "./grouping.js";
import { putLuck, putPairs, putSelf, putWaits } from "./pairs.js";
import { putSaturation } from "./saturation.js";

/** Every derived number of a record once more, from the second numbers of its runs, with the report's own arithmetic. */
export function secondDerived(facts: RecordFacts, numbers: ReadonlyMap<number, Numbers>): Numbers {
	const draft = new Draft(facts, numbers);
	for (const [key, value] of [...secondAlone(facts.modelAlone), ...secondBits(facts.bitChecks)])
		draft.table.put(key, value);
	for (const [model, rates] of sweepOf(facts.runs)) {
		for (const [rate, settings] of rates) {
			for (const [setting, runs] of settings) {
				putCell(draft, `sweep/${model}/${setting}/x${rate}`, runs);
				putBatchTotals(draft, `batches/${model}/${setting}/x${rate}`, runs);
				draft.table.put(`rule/luckPercent/${runs.size}`, 100 * Math.min(1, 2 / 2 ** runs.size));
			}
			putPairs(draft, model, rate, settings);
			putWaits(draft, model, rate, [...settings.keys()]);
			putLuck(draft, model, rate, [...settings.keys()]);
		}
		putSelf(draft, model, rates);
		putHighest(draft, model, rates);
		putPace(draft, model, rates);
	}
	for (const model of new Set(facts.runs.map((run) => run.model))) putSaturation(draft, model);
	putAnswers(draft);
	putQuiet(draft);
	putJournal(draft);
	putRatios(draft);
	return draft.table.numbers;
}

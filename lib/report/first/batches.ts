import { median } from "../../stats/index.js";
import type { Cell } from "../cells.js";
import type { NumberTable } from "../numbers.js";
import type { RunNumbers } from "./run-numbers.js";

const SHARES = ["fullPercent", "timerPercent", "idlePercent", "deadlinePercent", "drainPercent"] as const;

/** All batches of a cell, every round counted together, as the pictures count them. */
export function batchTotals(
	table: NumberTable,
	{ model, setting, rateMultiple, runs }: Cell,
	numbers: RunNumbers,
): void {
	const batched = runs.flatMap((run) => {
		const own = numbers.get(run.id);
		const count = own?.get("batches");
		return own === undefined || count === undefined ? [] : [{ own, count }];
	});
	const total = batched.reduce((sum, { count }) => sum + count, 0);
	if (total === 0) return;
	const key = `batches/${model}/${setting}/x${rateMultiple}`;
	const together = (name: string) => batched.reduce((sum, { own, count }) => sum + count * (own.get(name) ?? 0), 0);
	table.put(`${key}/count`, total);
	table.put(`${key}/meanBatch`, together("meanBatch") / total);
	for (const name of SHARES) {
		const percent = together(name) / total;
		if (percent > 0) table.put(`${key}/${name}`, percent);
	}
}

/** The S that a sweep's rates follow, by model: the middle one of the rounds. */
export function paceNumbers(table: NumberTable, model: string, cells: readonly Cell[]): void {
	const none = cells.find(({ setting }) => setting === "none");
	const followed = none?.runs.flatMap(({ saturationPerSecond }) => saturationPerSecond ?? []) ?? [];
	if (followed.length > 0) table.put(`pace/${model}/perSecond`, median(followed));
}

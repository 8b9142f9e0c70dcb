import type { FinishedRun } from "../../record/index.js";
import { modelsOf } from "../cells.js";
import type { NumberTable } from "../numbers.js";
import type { RunNumbers } from "./run-numbers.js";

/** Answers of the service by model, controls left out. */
export function answerNumbers(table: NumberTable, runs: readonly FinishedRun[], numbers: RunNumbers): void {
	for (const model of modelsOf(runs)) {
		const open = runs.filter((run) => run.kind === "open" && run.model === model && run.role !== "control");
		const total = (name: string) => open.reduce((sum, run) => sum + (numbers.get(run.id)?.get(name) ?? 0), 0);
		table.put(`answers/${model}/runs`, open.length);
		table.put(`answers/${model}/answered`, total("answered"));
		table.put(`answers/${model}/inBatches`, total("inBatches"));
		table.put(`answers/${model}/differing`, total("differing"));
		table.put(`answers/${model}/maxUlp`, Math.max(0, ...open.map((run) => numbers.get(run.id)?.get("maxUlp") ?? 0)));
	}
}

/** How quiet it was, and who wrote into the system log. */
export function quietNumbers(table: NumberTable, runs: readonly FinishedRun[]): void {
	if (runs.length === 0) return;
	table.put("quiet/lowestIdlePercent", 100 * Math.min(...runs.map(({ quiet }) => quiet.idleShare)));
	const steals = runs.flatMap(({ stealShare }) => stealShare ?? []);
	if (steals.length > 0) table.put("quiet/largestStealPercent", 100 * Math.max(...steals));
	const canaries = runs.map(({ canary }) => (canary.beforeNs + canary.afterNs) / 2);
	table.put("quiet/canarySpreadPercent", 100 * (Math.max(...canaries) / Math.min(...canaries) - 1));
	const open = runs.filter(({ kind }) => kind === "open");
	const doubtful = open.filter(({ quiet, canary }) => !quiet.quiet || canary.drifted).length;
	table.put("quiet/runs", open.length);
	table.put("quiet/notQuiet", open.filter(({ quiet }) => !quiet.quiet).length);
	table.put("quiet/drifted", open.filter(({ canary }) => canary.drifted).length);
	table.put("quiet/doubtfulPercent", open.length === 0 ? 0 : (100 * doubtful) / open.length);
	table.put("quiet/invalid", open.filter(({ verdict }) => verdict === "INVALID").length);
	table.put("quiet/late", open.filter(({ verdict }) => verdict === "LATE").length);
	table.put(
		"quiet/answers",
		open.reduce((sum, { counts }) => sum + counts.answered, 0),
	);
	table.put(
		"quiet/differing",
		open.reduce((sum, { differing }) => sum + differing, 0),
	);
	const logIns = runs.flatMap(({ quiet }) => (typeof quiet.logIns === "number" ? [quiet.logIns] : []));
	if (logIns.length > 0) table.put("quiet/mostLogIns", Math.max(...logIns));
	const journals = runs.flatMap(({ quiet }) => (typeof quiet.journal === "string" ? [] : [quiet.journal]));
	for (const source of new Set(journals.flatMap((journal) => Object.keys(journal)))) {
		const lines = journals.map((journal) => journal[source] ?? 0);
		table.put(
			`journal/${source}/lines`,
			lines.reduce((sum, count) => sum + count, 0),
		);
		table.put(`journal/${source}/runs`, lines.filter((count) => count > 0).length);
	}
}

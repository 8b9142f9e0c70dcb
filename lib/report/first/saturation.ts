import type { FinishedRun } from "../../record/index.js";
import { median, overRounds, roundsInterval } from "../../stats/index.js";
import { closedRunsOf, dialsOf } from "../cells.js";
import type { NumberTable } from "../numbers.js";
import type { RecordFacts } from "../source.js";
import { aloneNumbers } from "./alone.js";
import { type RunNumbers, valuesOf } from "./run-numbers.js";

interface Saturated {
	readonly model: string;
	readonly setting: string;
	readonly middle: number;
	readonly batches: readonly number[];
}

/** A core's time for one answer: the model's part is the call alone (Part A), shared by the rows of the nearest size measured. */
function coreTime(table: NumberTable, facts: RecordFacts, { model, setting, middle, batches }: Saturated): void {
	const alone = aloneNumbers(facts.modelAlone);
	const sizes = [
		...new Set(
			facts.modelAlone.filter((row) => row.model === model).flatMap(({ sizes }) => sizes.map(({ size }) => size)),
		),
	];
	if (sizes.length === 0 || (setting !== "none" && !dialsOf(setting).batched)) return;
	const mean = batches.length === 0 ? 1 : median(batches);
	const away = (size: number) => Math.abs(Math.log(size / mean));
	const nearest = setting === "none" ? 1 : sizes.reduce((a, b) => (away(b) < away(a) ? b : a));
	const modelUs = alone.get(`alone/${model}/${nearest}/rowUs`);
	if (modelUs === undefined) return;
	const key = `coreTime/${model}/${setting}`;
	const serviceUs = table.numbers.get(`saturation/${model}/${setting}/serviceUs`) ?? Number.NaN;
	table.put(`${key}/totalUs`, 1e6 / middle);
	table.put(`${key}/modelUs`, modelUs);
	table.put(`${key}/restOfServiceUs`, serviceUs - modelUs);
	table.put(`${key}/clientUs`, table.numbers.get(`saturation/${model}/${setting}/clientUs`));
	table.put(`${key}/modelSharePercent`, (100 * modelUs) / (1e6 / middle));
}

/**
 * How the multiples of S scatter: one a round, from the two closed loops of that round. The multiple itself, a ratio of
 * medians, always lies between the smallest and the largest of them.
 */
function timesRange(
	table: NumberTable,
	key: string,
	[runs, none]: readonly [readonly FinishedRun[], readonly FinishedRun[]],
	numbers: RunNumbers,
): void {
	const times = runs.flatMap((run) => {
		const alone = none.find(({ round }) => round === run.round);
		const [own, s] = [run, alone].map((one) => one && numbers.get(one.id)?.get("answeredPerSecond"));
		return own === undefined || s === undefined ? [] : [own / s];
	});
	if (times.length === 0 || runs === none) return;
	const { low, high } = roundsInterval(times);
	table.put(`${key}/timesSLow`, low);
	table.put(`${key}/timesSHigh`, high);
	table.put(`${key}/timesSRounds`, times.length);
}

/** The closed loops of one model: S, saturation of the other settings, CPU an answer. */
export function saturationNumbers(table: NumberTable, facts: RecordFacts, model: string, numbers: RunNumbers): void {
	const closed = closedRunsOf(facts.runs, model);
	const rateOf = (runs: readonly FinishedRun[]) => valuesOf(runs, numbers, "answeredPerSecond");
	const none = closed.get("none") ?? [];
	const s = rateOf(none);
	for (const [setting, runs] of closed) {
		const rates = rateOf(runs);
		if (rates.length === 0) continue;
		const key = `saturation/${model}/${setting}`;
		const { median: middle, min, max } = overRounds(rates);
		table.put(`${key}/answersPerSecond`, middle);
		table.put(`${key}/low`, min);
		table.put(`${key}/high`, max);
		table.put(`${key}/rounds`, rates.length);
		if (s.length > 0) table.put(`${key}/timesS`, middle / median(s));
		timesRange(table, key, [runs, none], numbers);
		const perAnswer = (cpuUs: (run: FinishedRun) => number) =>
			median(runs.map((run) => cpuUs(run) / Math.max(1, run.counts.answered)));
		table.put(
			`${key}/serviceUs`,
			perAnswer((run) => run.serviceCpuUs),
		);
		table.put(
			`${key}/clientUs`,
			perAnswer((run) => run.clientCpuUs),
		);
		table.put(
			`${key}/coreUs`,
			(table.numbers.get(`${key}/serviceUs`) ?? 0) + (table.numbers.get(`${key}/clientUs`) ?? 0),
		);
		const batches = valuesOf(runs, numbers, "meanBatch");
		if (batches.length > 0) table.put(`${key}/meanBatch`, median(batches));
		const inside = valuesOf(runs, numbers, "modelUsPerRow");
		if (inside.length > 0) table.put(`${key}/modelUsPerRow`, median(inside));
		coreTime(table, facts, { model, setting, middle, batches });
	}
}

/** With no model at all: answering from a later turn of the loop against answering at once. */
export function controlNumbers(table: NumberTable, model: string): void {
	const rate = (setting: string) => table.numbers.get(`saturation/${model}/${setting}/answersPerSecond`);
	const [once, later] = [rate("nomodel"), rate("nomodel-deferred")];
	if (once !== undefined && later !== undefined) table.put(`controls/${model}/deferredTimes`, later / once);
}

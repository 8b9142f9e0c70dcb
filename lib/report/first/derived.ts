import type { FinishedRun } from "../../record/index.js";
import { againstItself, comparePaired, median, overRounds, smallestP } from "../../stats/index.js";
import { type Cell, cellsOf, closedRunsOf, dialsOf, modelsOf } from "../cells.js";
import { type Numbers, NumberTable } from "../numbers.js";
import type { RecordFacts } from "../source.js";
import { aloneNumbers, bitNumbers } from "./alone.js";

/** Numbers of each run by its id. */
export type RunNumbers = ReadonlyMap<number, Numbers>;

/** Quantities of a cell that are medians over its rounds. */
export const CELL_QUANTITIES = [
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

const valuesOf = (runs: readonly FinishedRun[], numbers: RunNumbers, name: string): number[] =>
	runs.flatMap((run) => numbers.get(run.id)?.get(name) ?? []);

function cellNumbers(table: NumberTable, cell: Cell, numbers: RunNumbers): void {
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
function pairNumbers(table: NumberTable, cells: readonly Cell[], numbers: RunNumbers): void {
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

function selfNumbers(table: NumberTable, model: string, cells: readonly Cell[], numbers: RunNumbers): void {
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
	}
	if (lists.length === 0) return;
	const { unanimous, comparisons, expected, rounds } = againstItself(lists);
	table.put(`aa/${model}/allAgree`, unanimous);
	table.put(`aa/${model}/comparisons`, comparisons);
	table.put(`aa/${model}/expected`, expected);
	table.put(`aa/${model}/roundsEach`, rounds);
}

function highestKept(table: NumberTable, model: string, cells: readonly Cell[], numbers: RunNumbers): void {
	for (const setting of new Set(cells.map((cell) => cell.setting))) {
		let highest = 0;
		for (const cell of cells.filter((other) => other.setting === setting)) {
			if (!cell.runs.every((run) => numbers.get(run.id)?.get("keepsUp") === 1)) break;
			highest = cell.rateMultiple;
		}
		table.put(`sweep/${model}/${setting}/highestKept`, highest);
	}
}

function saturationNumbers(table: NumberTable, facts: RecordFacts, model: string, numbers: RunNumbers): void {
	const closed = closedRunsOf(facts.runs, model);
	const rateOf = (runs: readonly FinishedRun[]) => valuesOf(runs, numbers, "answeredPerSecond");
	const s = rateOf(closed.get("none") ?? []);
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
		const batches = valuesOf(runs, numbers, "meanBatch");
		if (batches.length > 0) table.put(`${key}/meanBatch`, median(batches));
		coreTime(table, facts, { model, setting, middle, batches });
	}
}

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

/** In how many settings with a W the median is told apart from none's, and the other way round for W = 0. */
function waitNumbers(table: NumberTable, model: string, cells: readonly Cell[]): void {
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

function answerNumbers(table: NumberTable, runs: readonly FinishedRun[], numbers: RunNumbers): void {
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

function quietNumbers(table: NumberTable, runs: readonly FinishedRun[]): void {
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

/** With no model at all: answering from a later turn of the loop against answering at once. */
function controlNumbers(table: NumberTable, model: string): void {
	const rate = (setting: string) => table.numbers.get(`saturation/${model}/${setting}/answersPerSecond`);
	const [once, later] = [rate("nomodel"), rate("nomodel-deferred")];
	if (once !== undefined && later !== undefined) table.put(`controls/${model}/deferredTimes`, later / once);
}

function littleNumbers(table: NumberTable, cells: readonly Cell[]): void {
	for (const { model, setting, rateMultiple } of cells) {
		const of = (name: string) => table.numbers.get(`sweep/${model}/${setting}/x${rateMultiple}/${name}`) ?? Number.NaN;
		table.put(`little/${model}/${setting}/x${rateMultiple}/ratio`, of("insideCounted") / of("insideByLaw"));
	}
}

function ruleNumbers(table: NumberTable, rounds: readonly number[]): void {
	for (const count of new Set(rounds)) table.put(`rule/luckPercent/${count}`, 100 * smallestP(count));
}

/** Every derived number of a record, from the numbers of its runs, by `batching-lab/stats`. */
export function firstDerived(facts: RecordFacts, numbers: RunNumbers): Numbers {
	const table = new NumberTable();
	for (const [key, value] of [...aloneNumbers(facts.modelAlone), ...bitNumbers(facts.bitChecks)]) table.put(key, value);
	const cells = cellsOf(facts.runs);
	for (const cell of cells) cellNumbers(table, cell, numbers);
	pairNumbers(table, cells, numbers);
	for (const model of modelsOf(facts.runs)) {
		const own = cells.filter((cell) => cell.model === model);
		selfNumbers(table, model, own, numbers);
		highestKept(table, model, own, numbers);
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

import type { FinishedRun } from "../record/index.js";
import { type Cell, cellsOf, isPair, modelsOf } from "./cells.js";
import type { Report } from "./report.js";
import { keyOf } from "./sections/context.js";
import type { ReportSource } from "./source.js";

/** More lines than this hide each other: with the lesson's 17 settings a chart shows these. */
const SHOWN_FIRST = ["none", "b1w0", "b8w0", "b32w0", "b128w0", "b32w1", "b32w2", "none again"];

/** What the charts of a report are drawn from: its numbers by cell, and which settings a chart has room for. */
export class FigureData {
	readonly report: Report;
	readonly source: ReportSource;
	readonly cells: readonly Cell[];

	constructor(report: Report, source: ReportSource) {
		this.report = report;
		this.source = source;
		this.cells = cellsOf(report.facts.runs);
	}

	get models(): string[] {
		return modelsOf(this.cells);
	}

	value(key: string): number | null {
		return this.report.numbers.get(key) ?? null;
	}

	settings(model: string): string[] {
		const all = [...new Set(this.cells.filter((cell) => cell.model === model).map(({ setting }) => setting))];
		return all.length <= SHOWN_FIRST.length ? all : all.filter((setting) => SHOWN_FIRST.includes(setting));
	}

	cell(model: string, setting: string, rateMultiple: number): Cell | undefined {
		return this.cells.find(
			(cell) => cell.model === model && cell.setting === setting && cell.rateMultiple === rateMultiple,
		);
	}

	stable(cell: Cell): boolean {
		const of = (name: string) => this.value(`${keyOf(cell)}/${name}`);
		return of("keptUpRounds") === of("rounds") && of("growingRounds") === 0;
	}

	lowest(model: string): number {
		return Math.min(...this.cells.filter((cell) => cell.model === model).map(({ rateMultiple }) => rateMultiple));
	}

	/** One number of every run that has it, in their order. */
	perRound(runs: readonly FinishedRun[], name: string): number[] {
		return runs.flatMap((run) => this.report.runs.get(run.id)?.get(name) ?? []);
	}

	/** Differences from another setting, one a round, on the same arrivals; rounds in which the machine drifted left out. */
	differences(model: string, setting: string, other: string, rateMultiple: number, name: string): number[] {
		const [a, b] = [this.cell(model, setting, rateMultiple), this.cell(model, other, rateMultiple)];
		return (a?.runs ?? []).flatMap((run) => {
			const pair = b?.runs.find(({ round }) => round === run.round);
			if (pair === undefined || !isPair(run, pair)) return [];
			const [mine, its] = [run, pair].map(({ id }) => this.report.runs.get(id)?.get(name));
			return mine === undefined || its === undefined ? [] : [mine - its];
		});
	}
}

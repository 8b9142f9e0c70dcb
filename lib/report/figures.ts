import {
	type BatchSizeRow,
	batchSizes,
	canaryOverTime,
	coreTime,
	type Figure,
	flushReasons,
	heatMap,
	latencyByRate,
	latencyDistribution,
	pairedDots,
	perRowCurve,
	priceOfWait,
	saturationBars,
} from "../charts/index.js";
import { FLUSH_REASONS } from "../record/index.js";
import { ecdf, sortSamples } from "../stats/index.js";
import { closedRunsOf, dialsOf, modelsOf } from "./cells.js";
import { FigureData } from "./figure-data.js";
import { latenciesOf } from "./first/run.js";
import type { Report } from "./report.js";
import { batchKey } from "./sections/batches.js";
import { keyOf } from "./sections/context.js";
import type { ReportSource } from "./source.js";

/** The charts of one report. Each takes a model (the settings and rates are the record's own) and gives a figure to show. */
export class ReportFigures {
	readonly #data: FigureData;

	constructor(report: Report, source: ReportSource) {
		this.#data = new FigureData(report, source);
	}

	/** Models that the sweep was made with. */
	get models(): string[] {
		return this.#data.models;
	}

	/** A percentile by arrival rate, one line a setting. */
	latencyByRate(model: string, percent: 50 | 90 | 95 | 98 | 99 = 99): Figure {
		const name = `p${percent}Ms`;
		const series = this.#data.settings(model).map((setting) => ({
			setting,
			points: this.#data.cells
				.filter((cell) => cell.model === model && cell.setting === setting)
				.map((cell) => ({
					rateMultiple: cell.rateMultiple,
					ms: this.#data.value(`${keyOf(cell)}/${name}`),
					low: this.#data.value(`${keyOf(cell)}/${name}Low`),
					high: this.#data.value(`${keyOf(cell)}/${name}High`),
					stable: this.#data.stable(cell),
				})),
		}));
		const rounds = Math.max(
			0,
			...this.#data.cells.filter((cell) => cell.model === model).map(({ runs }) => runs.length),
		);
		return latencyByRate({ percent, model, rounds, series });
	}

	/** What one row costs by batch size, with the fitted curve; all models of Part A. */
	costOfARow(): Figure {
		const { modelAlone } = this.#data.report.facts;
		return perRowCurve(
			modelsOf(modelAlone).map((model) => {
				const sizes = [
					...new Set(
						modelAlone.filter((row) => row.model === model).flatMap((row) => row.sizes.map(({ size }) => size)),
					),
				];
				const at = (size: number, name: string) => this.#data.value(`alone/${model}/${size}/${name}`) ?? Number.NaN;
				const [fixedUs, marginalUs] = [
					this.#data.value(`alone/${model}/fixedUs`),
					this.#data.value(`alone/${model}/marginalUs`),
				];
				return {
					model,
					points: sizes
						.sort((a, b) => a - b)
						.map((size) => ({
							size,
							us: at(size, "callUs"),
							lowUs: at(size, "callUsLow"),
							highUs: at(size, "callUsHigh"),
						})),
					...(fixedUs === null || marginalUs === null ? {} : { fit: { fixedUs, marginalUs } }),
					plateauSize: this.#data.value(`alone/${model}/plateauSize`),
				};
			}),
		);
	}

	/** The most each setting answers in a closed loop. */
	saturation(model: string): Figure {
		const rows = [...closedRunsOf(this.#data.report.facts.runs, model)].map(([setting, runs]) => ({
			setting,
			answersPerSecond: this.#data.perRound(runs, "answeredPerSecond"),
		}));
		return saturationBars(rows, { title: `The most each setting answers, model ${model}` });
	}

	/** Where a core's time goes for one answer at saturation. */
	coreTime(model: string): Figure {
		const rows = [...closedRunsOf(this.#data.report.facts.runs, model).keys()].flatMap((label) => {
			const of = (name: string) => this.#data.value(`coreTime/${model}/${label}/${name}`);
			const [inModel, rest, client] = [of("modelUs"), of("restOfServiceUs"), of("clientUs")];
			if (inModel === null || rest === null || client === null) return [];
			return [
				{
					label,
					parts: [
						{ name: "model", value: inModel },
						{ name: "rest of the service", value: Math.max(0, rest) },
						{ name: "client", value: client },
					],
				},
			];
		});
		return coreTime(rows, { title: `Where the core's time goes, model ${model}` });
	}

	/** What a wait adds to the median at the lowest rate. */
	priceOfWait(model: string): Figure {
		const rateMultiple = this.#data.lowest(model);
		const prices = this.#data.settings(model).flatMap((setting) => {
			const differencesMs = this.#data.differences(model, setting, "none", rateMultiple, "p50Ms");
			if (!/^b\d/.test(setting) || differencesMs.length === 0) return [];
			return [{ setting, maxWaitMs: dialsOf(setting).maxWaitMs, differencesMs }];
		});
		return priceOfWait(prices, { model, rateMultiple });
	}

	/** Every setting against `none` at one rate, round by round. */
	paired(model: string, rateMultiple = this.#data.lowest(model), percent: 50 | 99 = 99): Figure {
		const rows = this.#data.settings(model).flatMap((setting) => {
			if (setting === "none") return [];
			const differencesMs = this.#data.differences(model, setting, "none", rateMultiple, `p${percent}Ms`);
			return differencesMs.length === 0 ? [] : [{ label: `${setting} − none`, differencesMs }];
		});
		return pairedDots(rows, {
			quantity: `p${percent} latency`,
			title: `p${percent} at ${rateMultiple} S, model ${model}, round by round`,
		});
	}

	/** A percentile by B and W at one rate. */
	heatMap(model: string, rateMultiple: number, percent: 50 | 99 = 99): Figure {
		const cells = this.#data.cells
			.filter((cell) => cell.model === model && cell.rateMultiple === rateMultiple && /^b\d/.test(cell.setting))
			.map((cell) => ({
				...dialsOf(cell.setting),
				ms: this.#data.value(`${keyOf(cell)}/p${percent}Ms`),
				stable: this.#data.stable(cell),
			}));
		return heatMap(cells, { percent, rateMultiple, model });
	}

	/** Flush reasons of the batched settings at each rate. */
	flushReasons(model: string): Figure {
		const rows = this.#data.cells.flatMap((cell) => {
			if (
				cell.model !== model ||
				!this.#data.settings(model).includes(cell.setting) ||
				this.#data.value(`${keyOf(cell)}/meanBatch`) === null
			)
				return [];
			const counts = Object.fromEntries(
				FLUSH_REASONS.map((name) => [name, this.#data.value(`${batchKey(cell)}/${name}Percent`) ?? 0]),
			);
			return [{ label: `${cell.setting} at ${cell.rateMultiple} S`, counts }];
		});
		return flushReasons(rows, { title: `Why the batches left, model ${model}` });
	}

	/** How full the batches of one setting were at each rate. Reads the batches of every run of it; null from a summarised copy. */
	batchSizes(model: string, setting: string): Figure | null {
		const { raw } = this.#data.source;
		if (raw === null) return null;
		const rows = this.#data.cells
			.filter((cell) => cell.model === model && cell.setting === setting)
			.map((cell): BatchSizeRow => {
				const counts = new Map<number, number>();
				for (const run of cell.runs)
					for (const size of raw(run).batches.size) counts.set(size, (counts.get(size) ?? 0) + 1);
				return { label: `${setting} at ${cell.rateMultiple} S`, setting, counts };
			});
		return batchSizes(rows, { title: `How full the batches were, model ${model}` });
	}

	/** All latencies of one round at one rate, one curve a setting; null from a summarised copy. */
	distribution(model: string, rateMultiple = this.#data.lowest(model), round = 1): Figure | null {
		const { raw } = this.#data.source;
		if (raw === null) return null;
		const series = this.#data.settings(model).flatMap((setting) => {
			const run = this.#data.cell(model, setting, rateMultiple)?.runs.find((one) => one.round === round);
			if (run === undefined || setting === "none again") return [];
			const ms = latenciesOf(raw(run).requests).filter((ns) => !Number.isNaN(ns));
			return [{ setting, points: ecdf(sortSamples(ms.map((ns) => ns / 1e6)), 60) }];
		});
		return latencyDistribution(series.slice(0, 5), {
			title: `How long the requests took at ${rateMultiple} S, model ${model}`,
		});
	}

	/** The machine's own speed over the whole lab. */
	canary(): Figure {
		const { runs } = this.#data.report.facts;
		const start = Math.min(...runs.map(({ beganAt }) => Date.parse(beganAt)));
		const points = runs.flatMap(({ beganAt, endedAt, canary }) =>
			[[beganAt, canary.beforeNs] as const, [endedAt, canary.afterNs] as const].map(([at, ns]) => ({
				minutes: (Date.parse(at) - start) / 60_000,
				ms: ns / 1e6,
				drifted: canary.drifted,
			})),
		);
		return canaryOverTime(
			points.length <= 240
				? points
				: points.filter((point, i) => point.drifted || i % Math.ceil(points.length / 240) === 0),
		);
	}
}

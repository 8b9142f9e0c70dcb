import {
	batchSizes,
	canaryOverTime,
	type Figure,
	flushReasons,
	heatMap,
	latencyDistribution,
	showChart as showFigure,
} from "../charts/index.js";
import { type FinishedRun, FLUSH_REASONS } from "../record/index.js";
import { ecdf, sortSamples } from "../stats/index.js";
import { stableEverywhere } from "./stable.js";
import { ratesOf, settingsOf } from "./sweep.js";
import { tell } from "./tell.js";
import { over, perRound, runsOf, type Source } from "./values.js";

/** The machine's own speed over the whole run. */
export function canaryChart({ record }: Source): Figure {
	const runs = record.finishedRuns();
	const start = Math.min(...runs.map((run) => Date.parse(run.beganAt)));
	return canaryOverTime(
		runs.map((run) => ({
			minutes: (Date.parse(run.beganAt) - start) / 60_000,
			ms: (run.canary.beforeNs + run.canary.afterNs) / 2e6,
			drifted: run.canary.drifted,
		})),
	);
}

function batchedRuns(
	source: Source,
	model: string,
): { readonly label: string; readonly setting: string; readonly runs: readonly FinishedRun[] }[] {
	const settings = settingsOf(source, model)
		.filter((setting) => setting !== "none")
		.slice(0, 2);
	return settings.flatMap((setting) =>
		ratesOf(source, model).map((rateMultiple) => ({
			label: `${setting} at ${rateMultiple} S`,
			setting,
			runs: runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple }),
		})),
	);
}

/** How many rows the batches held, by setting and rate. */
export function batchSizeChart(source: Source, model: string): Figure | null {
	if (batchedRuns(source, model).length === 0) return null;
	return batchSizes(
		batchedRuns(source, model).map(({ label, setting, runs }) => {
			const counts = new Map<number, number>();
			for (const run of runs)
				for (const size of source.record.batches(run.id).size) counts.set(size, (counts.get(size) ?? 0) + 1);
			return { label, setting, counts };
		}),
		{ title: `Rows that shared a call, ${model}` },
	);
}

/** Why the batches left. */
export function flushReasonChart(source: Source, model: string): Figure | null {
	if (batchedRuns(source, model).length === 0) return null;
	return flushReasons(
		batchedRuns(source, model).map(({ label, runs }) => {
			const counts: Record<string, number> = {};
			for (const run of runs) {
				for (const reason of source.record.batches(run.id).reason) {
					const name = FLUSH_REASONS[reason] ?? "unknown";
					counts[name] = (counts[name] ?? 0) + 1;
				}
			}
			return { label, counts };
		}),
		{ title: `Why batches left, ${model}` },
	);
}

/** Everybody's latency at the lowest rate, first round, one line a setting. */
export function distributionChart(source: Source, model: string): Figure | null {
	const rateMultiple = ratesOf(source, model)[0] ?? 0;
	const series = settingsOf(source, model).flatMap((setting) => {
		const run = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple })[0];
		if (run === undefined) return [];
		const { scheduledNs, receivedNs } = source.record.requests(run.id);
		const ms = Array.from(receivedNs, (received, at) => (received - (scheduledNs[at] ?? 0)) / 1e6).filter(
			Number.isFinite,
		);
		return ms.length === 0 ? [] : [{ setting, points: ecdf(sortSamples(ms), 60) }];
	});
	return series.length === 0
		? null
		: latencyDistribution(series, { title: `Latency of ${model} at ${rateMultiple} S, first round` });
}

/** Fewer pairs of dials than this are a line of a table, not a map. */
const MAP_FROM = 4;

/** B against W at the lowest rate, where every pair of dials keeps up; null for so few pairs that there is no map. */
export function heatChart(source: Source, model: string): Figure | null {
	const rateMultiple = ratesOf(source, model)[0] ?? 0;
	const cells = settingsOf(source, model).flatMap((setting) => {
		const dials = /^b(\d+)w([\d.]+)$/.exec(setting);
		if (dials === null) return [];
		const ms = over(perRound(source, { kind: "open", model, setting, role: "setting", rateMultiple }, "p50Ms")) ?? null;
		return [
			{
				maxBatchSize: Number(dials[1]),
				maxWaitMs: Number(dials[2]),
				ms,
				stable: stableEverywhere(source, model, setting, rateMultiple),
			},
		];
	});
	return cells.length < MAP_FROM ? null : heatMap(cells, { percent: 50, rateMultiple, model });
}

/** Shows the map of B and W, or says in a line why there is none. */
export async function showHeatChart(source: Source, model: string): Promise<void> {
	const figure = heatChart(source, model);
	if (figure === null)
		tell("This profile tried too few pairs of B and W for a map of them; `standard` and `full` draw one here.");
	else await showFigure(figure);
}

import {
	coinFlips,
	type Figure,
	latencyByRate,
	pairedDots,
	priceOfWait as priceOfWaitFigure,
	queueOverTime,
} from "../charts/index.js";
import { queueBySlice } from "../stats/index.js";
import { stableEverywhere } from "./stable.js";
import { differences, ratesOf, settingsOf } from "./sweep.js";
import { over, perRound, runsOf, type Source } from "./values.js";

/** A percentile of latency by rate, one line a setting. */
export function latencyByRateChart(source: Source, model: string, percent: 50 | 99): Figure | null {
	if (ratesOf(source, model).length === 0) return null;
	const name = `p${percent}Ms`;
	return latencyByRate({
		model,
		percent,
		rounds: Math.max(...runsOf(source, { kind: "open", model }).map(({ round }) => round)),
		series: settingsOf(source, model).map((setting) => ({
			setting,
			points: ratesOf(source, model).flatMap((rateMultiple) => {
				const filter = { kind: "open", model, setting, role: "setting", rateMultiple } as const;
				if (runsOf(source, filter).length === 0) return [];
				const values = perRound(source, filter, name);
				return [
					{
						rateMultiple,
						ms: over(values) ?? null,
						low: values.length === 0 ? null : Math.min(...values),
						high: values.length === 0 ? null : Math.max(...values),
						stable: stableEverywhere(source, model, setting, rateMultiple),
					},
				];
			}),
		})),
	});
}

/** What each batched setting adds to the median where it is quiet, a dot a round. */
export function priceOfWaitChart(source: Source, model: string, rateMultiple = 0.5): Figure | null {
	const prices = settingsOf(source, model).flatMap((setting) => {
		const wait = /^b\d+w([\d.]+)$/.exec(setting)?.[1];
		const differencesMs = differences(source, model, setting, "none", rateMultiple, "p50Ms");
		return wait === undefined || differencesMs.length === 0
			? []
			: [{ setting, maxWaitMs: Number(wait), differencesMs }];
	});
	return prices.length === 0 ? null : priceOfWaitFigure(prices, { model, rateMultiple });
}

/** Each setting against `none` on the same arrivals, a dot a round; the p50 where the runs are too short for a p99. */
export function pairedChart(source: Source, model: string, rateMultiple: number, percent: 50 | 99): Figure | null {
	const rowsOf = (quantity: string) =>
		settingsOf(source, model)
			.filter((setting) => setting !== "none")
			.map((setting) => ({
				label: `${setting} minus none`,
				differencesMs: differences(source, model, setting, "none", rateMultiple, `${quantity}Ms`),
			}))
			.filter(({ differencesMs }) => differencesMs.length > 0);
	const asked = rowsOf(`p${percent}`);
	const quantity = asked.length > 0 ? `p${percent}` : "p50";
	const rows = asked.length > 0 ? asked : rowsOf(quantity);
	return rows.length === 0
		? null
		: pairedDots(rows, { title: `${model} at ${rateMultiple} S: the ${quantity} against none`, quantity });
}

const SLICES = 60;

/** The queue over time at the highest rate, in the first round: `none` beside a batched setting. */
export function queueChart(source: Source, model: string, settings: readonly string[]): Figure | null {
	const rateMultiple = ratesOf(source, model).at(-1);
	if (rateMultiple === undefined) return null;
	const series = settings.flatMap((setting) => {
		const run = runsOf(source, { kind: "open", model, setting, role: "setting", rateMultiple })[0];
		if (run === undefined) return [];
		const { scheduledNs, receivedNs } = source.record.requests(run.id);
		const horizonNs = run.seconds * 1e9;
		const waiting = queueBySlice({ scheduledNs, receivedNs, horizonNs }, SLICES);
		return [
			{
				setting,
				points: waiting.map((count, slice) => ({ seconds: ((slice + 1) * run.seconds) / SLICES, waiting: count })),
			},
		];
	});
	const perSecond = runsOf(source, {
		kind: "open",
		model,
		setting: settings[0] ?? "none",
		role: "setting",
		rateMultiple,
	})[0];
	const rate = Math.round(perSecond?.ratePerSecond ?? Number.NaN);
	return series.length === 0
		? null
		: queueOverTime(series, {
				title: `The queue of ${model} at ${rateMultiple} × S${Number.isFinite(rate) ? `, ${rate.toLocaleString("en-US")} requests a second` : ""}`,
			});
}

/** Five tosses of a coin. */
export function coinChart(): Figure {
	return coinFlips(5);
}

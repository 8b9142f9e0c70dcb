import type { Figure, PlotlyObject } from "./figure.js";
import { endLabels } from "./labels.js";
import { axis, figure, note } from "./layout.js";
import { GRID, labelLook, lookOf, QUIET_INK } from "./theme.js";
import { durationText, logRange, logTicks } from "./ticks.js";

/** One setting at one rate. Latencies in ms from the scheduled arrival. */
export interface RatePoint {
	readonly rateMultiple: number;
	/** Median over rounds; null = too few samples. */
	readonly ms: number | null;
	/** Smallest and largest round. */
	readonly low: number | null;
	readonly high: number | null;
	/** False: the queue grew, so the number depends on how long the run was; drawn hollow. */
	readonly stable: boolean;
}

export interface RateSeries {
	readonly setting: string;
	/** Ascending by rate. */
	readonly points: readonly RatePoint[];
}

export interface LatencyByRateOptions {
	/** 50, 99, … */
	readonly percent: number;
	readonly series: readonly RateSeries[];
	readonly model?: string;
	readonly rounds?: number;
	/** S, answers a second, where it is one number for all rounds. */
	readonly saturationPerSecond?: number;
	readonly title?: string;
}

function errorBars(points: readonly RatePoint[], colour: string): PlotlyObject {
	const reach = (from: number | null, to: number | null) => (from === null || to === null ? 0 : Math.max(0, to - from));
	return {
		type: "data",
		symmetric: false,
		array: points.map(({ ms, high }) => reach(ms, high)),
		arrayminus: points.map(({ ms, low }) => reach(low, ms)),
		thickness: 1,
		width: 3,
		color: colour,
	};
}

/** With more settings than this the bars of the rounds hide each other; then they are left out, and the subtitle says so. */
const MOST_WITH_BARS = 6;

function trace({ setting, points }: RateSeries, place: number, bars: boolean): PlotlyObject {
	const look = lookOf(setting, place);
	const value = (ms: number | null) => (ms === null ? Number.NaN : ms);
	return {
		type: "scatter",
		mode: "lines+markers",
		name: setting,
		x: points.map(({ rateMultiple }) => rateMultiple),
		y: points.map(({ ms }) => value(ms)),
		line: { color: look.colour, dash: look.dash, width: 2 },
		marker: {
			color: look.colour,
			size: 8,
			symbol: points.map(({ stable }) => (stable ? look.symbol : `${look.symbol}-open`)),
			line: { width: 2, color: look.colour },
		},
		...(bars ? { error_y: errorBars(points, look.colour) } : {}),
		hovertemplate: `${setting}: %{y:.3g} ms at %{x} S<extra></extra>`,
	};
}

/**
 * A percentile of latency by arrival rate, one line a setting, on a log axis; bars from the smallest to the largest
 * round; hollow where the queue grew and the number only says so.
 */
export function latencyByRate(options: LatencyByRateOptions): Figure {
	const { percent, series, model, rounds, saturationPerSecond } = options;
	const values = series.flatMap(({ points }) => points.flatMap(({ ms, low, high }) => [ms ?? 0, low ?? 0, high ?? 0]));
	const [low, high] = logRange(values);
	const multiples = [...new Set(series.flatMap(({ points }) => points.map(({ rateMultiple }) => rateMultiple)))].sort(
		(a, b) => a - b,
	);
	const first = multiples[0] ?? 0;
	const last = multiples.at(-1) ?? 1;
	const labels = series.flatMap(({ setting, points }, place) => {
		const end = points.filter(({ ms }) => ms !== null).at(-1);
		if (end?.ms == null) return [];
		return [{ text: setting, ...labelLook(setting, place), fraction: Math.log(end.ms / low) / Math.log(high / low) }];
	});
	const height = 420;
	const unstable = series.some(({ points }) => points.some(({ stable }) => !stable));
	const bars = series.length <= MOST_WITH_BARS;
	const say = ({ rateMultiple, ms, stable }: RatePoint) =>
		`${ms === null ? "too few samples" : durationText(ms)} at ${rateMultiple} S${stable ? "" : " (queue grows)"}`;
	const said = series.map(({ setting, points }) => {
		const ends =
			points.length > 3 && series.length > 3 ? points.filter((_, i) => i === 0 || i === points.length - 1) : points;
		return `${setting}: ${ends.map(say).join(", ")}`;
	});
	const middle =
		rounds === 1 ? "One round" : rounds === undefined ? "Median of the rounds" : `Median of ${rounds} rounds`;
	const subtitle = `${middle}${bars && rounds !== 1 ? ", bar = smallest to largest" : ""}${unstable ? "; hollow = the queue grows, no stable number" : ""}`;
	return figure({
		title: options.title ?? `p${percent} latency by arrival rate${model === undefined ? "" : `, model ${model}`}`,
		subtitle,
		alt: `Line chart: p${percent} latency (log scale) by arrival rate in multiples of S. ${said.join(". ")}.`,
		data: series.map((one, place) => trace(one, place, bars)),
		x: axis({
			title:
				saturationPerSecond === undefined
					? "arrival rate, multiples of S"
					: `arrival rate, multiples of S = ${Math.round(saturationPerSecond).toLocaleString("en-US")} answers a second`,
			range: [first - 0.06 * (last - first || 1), last + 0.06 * (last - first || 1)],
			ticks: multiples.map((at) => ({ at, text: String(at) })),
		}),
		y: axis({
			title: `p${percent} latency, from the scheduled arrival`,
			range: [low, high],
			log: true,
			ticks: logTicks(low, high, durationText),
		}),
		shapes:
			first <= 1 && last >= 1
				? [{ type: "line", x0: 1, x1: 1, yref: "paper", y0: 0, y1: 1, layer: "below", line: { color: GRID, width: 3 } }]
				: [],
		annotations: [
			...endLabels(labels, height - 66 - 54),
			...(first <= 1 && last >= 1
				? [
						note("S", {
							x: 1,
							yref: "paper",
							y: 1,
							yanchor: "top",
							xanchor: "left",
							xshift: 4,
							font: { size: 12, color: QUIET_INK },
						}),
					]
				: []),
		],
		height,
		margin: { l: 78, r: 132 },
	});
}

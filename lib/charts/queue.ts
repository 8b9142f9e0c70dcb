import type { Figure } from "./figure.js";
import { endLabels } from "./labels.js";
import { axis, figure, note } from "./layout.js";
import { GRID, labelLook, lookOf } from "./theme.js";
import { linearRange } from "./ticks.js";

/** Requests due and not answered, over time, in one run. */
export interface QueueSeries {
	readonly setting: string;
	readonly label?: string;
	readonly points: readonly { readonly seconds: number; readonly waiting: number }[];
}

/** The queue over time: a service that keeps up has one that empties again, one that does not has one that only grows. */
export function queueOverTime(
	series: readonly QueueSeries[],
	options: { readonly title?: string; readonly subtitle?: string; readonly arrivalsEndSeconds?: number } = {},
): Figure {
	const waiting = series.flatMap(({ points }) => points.map((point) => point.waiting));
	const range = linearRange(waiting, true);
	const seconds = series.flatMap(({ points }) => points.map((point) => point.seconds));
	const end = options.arrivalsEndSeconds;
	const height = 380;
	const labels = series.map(({ setting, label, points }, place) => ({
		text: label ?? setting,
		...labelLook(setting, place),
		fraction: ((points.at(-1)?.waiting ?? 0) - range[0]) / (range[1] - range[0]),
	}));
	return figure({
		title: options.title ?? "How many requests wait",
		subtitle: options.subtitle ?? "Line = requests that were due and not answered yet",
		alt: `Lines over time: requests waiting. ${series.map(({ setting, label, points }) => `${label ?? setting}: at most ${Math.round(Math.max(0, ...points.map((point) => point.waiting)))}, ${Math.round(points.at(-1)?.waiting ?? 0)} at the end`).join("; ")}.`,
		data: series.map(({ setting, label, points }, place) => ({
			type: "scatter",
			mode: "lines",
			name: label ?? setting,
			x: points.map((point) => point.seconds),
			y: points.map((point) => point.waiting),
			line: { color: lookOf(setting, place).colour, dash: lookOf(setting, place).dash, width: 2 },
			hovertemplate: `${label ?? setting}: %{y:.0f} waiting at %{x:.2f} s<extra></extra>`,
		})),
		x: axis({ title: "seconds since the first arrival could come", range: linearRange(seconds, true) }),
		y: axis({ title: "requests waiting", range }),
		shapes:
			end === undefined
				? []
				: [
						{
							type: "line",
							x0: end,
							x1: end,
							yref: "paper",
							y0: 0,
							y1: 1,
							layer: "below",
							line: { color: GRID, width: 3 },
						},
					],
		annotations: [
			...endLabels(labels, height - 120),
			...(end === undefined
				? []
				: [note("arrivals end", { x: end, yref: "paper", y: 1, yanchor: "bottom", xanchor: "right" })]),
		],
		height,
	});
}

import { median } from "../stats/index.js";
import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { INK, lookOf, PAPER } from "./theme.js";

/** The most one setting answered in a closed loop, one number a round. */
export interface SaturationRow {
	readonly setting: string;
	readonly label?: string;
	readonly answersPerSecond: readonly number[];
}

/** Bars at the median, a dot a round. */
export function saturationBars(
	rows: readonly SaturationRow[],
	options: { readonly title?: string; readonly subtitle?: string } = {},
): Figure {
	const most = Math.max(1, ...rows.flatMap(({ answersPerSecond }) => answersPerSecond));
	const middle = rows.map(({ answersPerSecond }) => median(answersPerSecond));
	const dots = rows.map(
		({ answersPerSecond }, row): PlotlyObject => ({
			type: "scatter",
			mode: "markers",
			x: [...answersPerSecond],
			y: answersPerSecond.map(
				(_, i) => row + (answersPerSecond.length === 1 ? 0 : (i / (answersPerSecond.length - 1) - 0.5) * 0.44),
			),
			marker: { color: PAPER, size: 6, line: { color: INK, width: 1 } },
			hovertemplate: "%{x:,.0f} a second<extra></extra>",
		}),
	);
	return figure({
		title: options.title ?? "The most each setting answers",
		subtitle: options.subtitle ?? "Bar = median of the rounds, dot = one round; a closed loop asks again at once",
		alt: `Bars: answers a second in a closed loop. ${rows.map(({ setting, label }, row) => `${label ?? setting} ${Math.round(middle[row] ?? 0).toLocaleString("en-US")}`).join(", ")}.`,
		data: [
			{
				type: "bar",
				orientation: "h",
				x: middle,
				y: rows.map((_, row) => row),
				marker: { color: rows.map(({ setting }, row) => lookOf(setting, row).colour) },
				hoverinfo: "skip",
			},
			...dots,
		],
		x: axis({ title: "answers a second", range: [0, most * 1.05] }),
		y: axis({
			range: [-0.6, rows.length - 0.4],
			reversed: true,
			grid: false,
			ticks: rows.map(({ setting, label }, at) => ({ at, text: label ?? setting })),
		}),
		annotations: rows.map((_, y) =>
			note(`<b>${Math.round(middle[y] ?? 0).toLocaleString("en-US")}</b>`, {
				xref: "paper",
				x: 1,
				xanchor: "left",
				xshift: 8,
				y,
				font: { size: 13, color: INK },
			}),
		),
		layout: { bargap: 0.3 },
		height: 130 + rows.length * 40,
		margin: { l: 130, r: 74 },
	});
}

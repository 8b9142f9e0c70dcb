import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GAP, inkOn, keyed, PALETTE, PAPER, QUIET_INK } from "./theme.js";

/** One bar of parts that add up. */
export interface StackRow {
	readonly label: string;
	readonly parts: readonly { readonly name: string; readonly value: number }[];
}

/** Where a core's time goes, µs an answer: one stacked bar a row, the parts named above. */
export function coreTime(
	rows: readonly StackRow[],
	options: { readonly title?: string; readonly subtitle?: string } = {},
): Figure {
	const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
	const colours = [PALETTE.blue, PALETTE.sky, PALETTE.orange, PALETTE.pink, PALETTE.green, PALETTE.grey];
	const colour = (place: number) => colours[place % colours.length] ?? PALETTE.grey;
	const value = (row: StackRow, name: string) => row.parts.find((part) => part.name === name)?.value ?? 0;
	const total = (row: StackRow) => row.parts.reduce((sum, part) => sum + part.value, 0);
	const most = Math.max(1, ...rows.map(total));
	return figure({
		title: options.title ?? "Where the core's time goes",
		subtitle: options.subtitle ?? "Core time of an answer, µs",
		alt: `Stacked bars, core time of an answer, µs. ${rows.map((row) => `${row.label}: ${row.parts.map((part) => `${part.name} ${Math.round(part.value)}`).join(", ")}, together ${Math.round(total(row))}`).join("; ")}.`,
		data: names.map(
			(name, place): PlotlyObject => ({
				type: "bar",
				orientation: "h",
				name,
				x: rows.map((row) => value(row, name)),
				y: rows.map((_, at) => at),
				marker: { color: colour(place), line: { color: PAPER, width: 1 } },
				text: rows.map((row) => (value(row, name) < most * 0.05 ? "" : String(Math.round(value(row, name))))),
				textposition: "inside",
				insidetextanchor: "middle",
				textangle: 0,
				textfont: { color: inkOn(colour(place)), size: 12 },
				hovertemplate: `${name}: %{x:.1f} µs<extra></extra>`,
			}),
		),
		x: axis({ title: "core time of an answer, µs", range: [0, most * 1.02] }),
		y: axis({
			range: [-0.6, rows.length - 0.4],
			reversed: true,
			grid: false,
			ticks: rows.map(({ label }, at) => ({ at, text: label })),
		}),
		annotations: [
			note(names.map((name, place) => keyed(name, colour(place))).join(GAP), {
				xref: "paper",
				x: 0,
				xanchor: "left",
				yref: "paper",
				y: 1,
				yanchor: "bottom",
				yshift: 4,
			}),
			...rows.map((row, y) =>
				note(`${Math.round(total(row))} µs`, {
					x: total(row),
					y,
					xanchor: "left",
					xshift: 6,
					font: { size: 12, color: QUIET_INK },
				}),
			),
		],
		layout: { barmode: "stack", bargap: 0.3 },
		height: 150 + rows.length * 40,
		margin: { l: 130, r: 84, t: 92 },
	});
}

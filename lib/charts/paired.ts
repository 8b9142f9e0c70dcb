import { median, toldApart } from "../stats/index.js";
import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GRID, PALETTE, QUIET_INK } from "./theme.js";
import { durationText, linearRange } from "./ticks.js";

/** One comparison: second minus first, one difference a round. */
export interface PairedRow {
	/** `b32w0 minus none`, … */
	readonly label: string;
	readonly differencesMs: readonly number[];
}

export interface PairedDotsOptions {
	readonly title?: string;
	readonly quantity?: string;
}

/**
 * Every round's difference as a dot, one row a comparison, zero as a line: a row is told apart when all its dots lie on
 * one side. Filled = all on one side. With fewer than five rounds the words beside it only say what was seen.
 */
export function pairedDots(
	rows: readonly PairedRow[],
	{ title, quantity = "p99 latency" }: PairedDotsOptions = {},
): Figure {
	const range = linearRange(
		rows.flatMap(({ differencesMs }) => [...differencesMs]),
		true,
	);
	const marks = rows.map(({ label, differencesMs }, row): PlotlyObject => {
		const { agreeing, rounds, direction } = toldApart(differencesMs);
		const colour = agreeing < rounds ? PALETTE.grey : direction < 0 ? PALETTE.blue : PALETTE.orange;
		const count = differencesMs.length;
		return {
			type: "scatter",
			mode: "markers",
			x: [...differencesMs],
			y: differencesMs.map((_, i) => row + (count === 1 ? 0 : (i / (count - 1) - 0.5) * 0.4)),
			marker: {
				color: colour,
				size: 9,
				symbol: agreeing < rounds ? "circle-open" : direction < 0 ? "square" : "circle",
				line: { width: 2, color: colour },
			},
			hovertemplate: `${label}: %{x:.3g} ms<extra></extra>`,
		};
	});
	const words = rows.map(({ differencesMs }) => toldApart(differencesMs).words);
	const height = Math.max(220, 116 + rows.length * 46);
	return figure({
		title: title ?? `${quantity}, round by round on the same arrivals`,
		subtitle: "Dot = one round; left of the line = the first-named is faster; bar = median; hollow = rounds disagree",
		alt: `Dots on both sides of zero, ms. ${rows.map(({ label, differencesMs }, i) => `${label}: median ${durationText(median(differencesMs))}, ${words[i]}`).join(". ")}.`,
		data: marks,
		x: axis({ title: `difference in ${quantity}, ms`, range }),
		y: axis({
			range: [-0.6, rows.length - 0.4],
			reversed: true,
			grid: false,
			ticks: rows.map(({ label }, at) => ({ at, text: label })),
		}),
		shapes: [
			{ type: "line", yref: "paper", y0: 0, y1: 1, x0: 0, x1: 0, layer: "below", line: { color: GRID, width: 3 } },
			...rows.map(({ differencesMs }, row) => ({
				type: "line",
				x0: median(differencesMs),
				x1: median(differencesMs),
				y0: row - 0.3,
				y1: row + 0.3,
				line: { color: QUIET_INK, width: 2 },
			})),
		],
		annotations: words.map((text, row) =>
			note(text.replace(" (", "<br>("), { xref: "paper", x: 1, xanchor: "left", xshift: 8, y: row, align: "left" }),
		),
		height,
		margin: { l: 150, r: 158 },
	});
}

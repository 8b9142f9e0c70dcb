import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GAP, INK, keyed, PALETTE } from "./theme.js";
import { durationText } from "./ticks.js";

/** One request of a batch, ms on one clock. */
export interface BatchRow {
	readonly label: string;
	readonly arrivedMs: number;
	readonly leftMs: number;
	readonly answeredMs: number;
}

export interface BatchTimelineOptions {
	readonly rows: readonly BatchRow[];
	/** Why it left: full, timer, idle, … */
	readonly reason: string;
	readonly title?: string;
}

/** One batch on a time line: each request waits (pale) until the batch leaves, then they share one model call (dark). */
export function batchTimeline({ rows, reason, title }: BatchTimelineOptions): Figure {
	const start = Math.min(...rows.map(({ arrivedMs }) => arrivedMs));
	const left = Math.max(...rows.map(({ leftMs }) => leftMs)) - start;
	const end = Math.max(...rows.map(({ answeredMs }) => answeredMs)) - start;
	const bars = (
		name: string,
		colour: string,
		from: (row: BatchRow) => number,
		to: (row: BatchRow) => number,
	): PlotlyObject => ({
		type: "bar",
		orientation: "h",
		name,
		base: rows.map((row) => from(row) - start),
		x: rows.map((row) => to(row) - from(row)),
		y: rows.map((_, at) => at),
		marker: { color: colour },
		hovertemplate: `${name}: %{x:.3g} ms<extra></extra>`,
	});
	return figure({
		title: title ?? "One batch",
		subtitle: `${keyed("waits for the batch", PALETTE.sky)}${GAP}${keyed("shares one model call", PALETTE.blue)}`,
		alt: `Time line of ${rows.length} requests in one batch that left as ${reason} after ${durationText(left)}; the model took ${durationText(end - left)}. ${rows.map(({ label, arrivedMs, leftMs }) => `${label} waited ${durationText(leftMs - arrivedMs)}`).join(", ")}.`,
		data: [
			bars(
				"waits",
				PALETTE.sky,
				(row) => row.arrivedMs,
				(row) => row.leftMs,
			),
			bars(
				"model call",
				PALETTE.blue,
				(row) => row.leftMs,
				(row) => row.answeredMs,
			),
		],
		x: axis({ title: "ms since the first request of the batch", range: [-0.03 * end, end * 1.04] }),
		y: axis({
			range: [-0.6, rows.length - 0.4],
			reversed: true,
			grid: false,
			ticks: rows.map(({ label }, at) => ({ at, text: label })),
		}),
		shapes: [
			{ type: "line", x0: left, x1: left, yref: "paper", y0: 0, y1: 1, line: { color: INK, width: 1, dash: "dot" } },
		],
		annotations: [
			note(`leaves: ${reason}`, { x: left, yref: "paper", y: 1, yanchor: "bottom", font: { size: 12, color: INK } }),
		],
		layout: { barmode: "overlay", bargap: 0.35 },
		height: 150 + rows.length * 30,
		margin: { l: 110, r: 40, t: 84 },
	});
}

import type { Figure } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { FIELD, QUIET_INK } from "./theme.js";
import { durationText } from "./ticks.js";

/** One pair of dials at one rate. */
export interface HeatCell {
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
	readonly ms: number | null;
	/** False: the queue grows, so its number is no number to compare. */
	readonly stable: boolean;
}

export interface HeatMapOptions {
	readonly percent: number;
	readonly rateMultiple: number;
	readonly model?: string;
	readonly title?: string;
}

/** Ends of the colour scale, light to dark blue. Each cell also says its number, so the colour is never needed. */
const LIGHT = [232, 241, 248] as const;
const DEEP = [0, 96, 150] as const;
/** Ink on light and on deep cells: the same in a dark room, since the cells stay as they are. */
const ON_LIGHT = "#24292e";
const ON_DEEP = "#fffffe";

function between(share: number): string {
	const parts = LIGHT.map((from, i) => Math.round(from + ((DEEP[i] ?? 0) - from) * share));
	return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** A percentile of latency for each B and W at one rate; darker is slower; what falls behind is said, not coloured. */
export function heatMap(cells: readonly HeatCell[], { percent, rateMultiple, model, title }: HeatMapOptions): Figure {
	const sizes = [...new Set(cells.map(({ maxBatchSize }) => maxBatchSize))].sort((a, b) => a - b);
	const waits = [...new Set(cells.map(({ maxWaitMs }) => maxWaitMs))].sort((a, b) => a - b);
	const find = (size: number, wait: number) =>
		cells.find((cell) => cell.maxBatchSize === size && cell.maxWaitMs === wait);
	const value = (size: number, wait: number) => {
		const cell = find(size, wait);
		return cell?.ms == null || !cell.stable || cell.ms <= 0 ? null : Math.log10(cell.ms);
	};
	const all = cells.flatMap(({ maxBatchSize, maxWaitMs }) => value(maxBatchSize, maxWaitMs) ?? []);
	const low = all.length === 0 ? 0 : Math.min(...all);
	const high = all.length === 0 ? 1 : Math.max(...all);
	const words = (size: number, wait: number) => {
		const cell = find(size, wait);
		if (cell === undefined) return "not run";
		if (!cell.stable) return "falls<br>behind";
		return cell.ms === null ? "too few" : durationText(cell.ms);
	};
	const shade = (size: number, wait: number) => {
		const at = value(size, wait);
		return at === null ? null : high > low ? (at - low) / (high - low) : 0;
	};
	const ink = (share: number | null) => (share === null ? QUIET_INK : share > 0.5 ? ON_DEEP : ON_LIGHT);
	const cellShape = (size: number, y: number, wait: number, x: number) => {
		const share = shade(size, wait);
		const fillcolor = share === null ? FIELD : between(share);
		return {
			type: "rect",
			x0: x - 0.48,
			x1: x + 0.48,
			y0: y - 0.47,
			y1: y + 0.47,
			fillcolor,
			line: { width: 0 },
			layer: "below",
		};
	};
	return figure({
		title: title ?? `p${percent} by B and W at ${rateMultiple} S${model === undefined ? "" : `, model ${model}`}`,
		subtitle: "Median of the rounds; darker = slower; colours on a log scale",
		alt: `Table of p${percent} latency at ${rateMultiple} S. ${cells.map(({ maxBatchSize, maxWaitMs }) => `B ${maxBatchSize}, W ${maxWaitMs} ms: ${words(maxBatchSize, maxWaitMs).replace("<br>", " ")}`).join("; ")}.`,
		data: [
			{
				type: "scatter",
				mode: "markers",
				x: sizes.flatMap(() => waits.map((_, at) => at)),
				y: sizes.flatMap((_, at) => waits.map(() => at)),
				text: sizes.flatMap((size) => waits.map((wait) => words(size, wait).replace("<br>", " "))),
				marker: { opacity: 0, size: 30 },
				hovertemplate: "%{text}<extra></extra>",
			},
		],
		x: axis({
			title: "W, longest wait, ms",
			grid: false,
			range: [-0.5, waits.length - 0.5],
			ticks: waits.map((wait, at) => ({ at, text: String(wait) })),
		}),
		y: axis({
			title: "B, most rows in a batch",
			grid: false,
			range: [-0.5, sizes.length - 0.5],
			ticks: sizes.map((size, at) => ({ at, text: String(size) })),
		}),
		shapes: sizes.flatMap((size, y) => waits.map((wait, x) => cellShape(size, y, wait, x))),
		annotations: sizes.flatMap((size, y) =>
			waits.map((wait, x) => note(words(size, wait), { x, y, font: { size: 13, color: ink(shade(size, wait)) } })),
		),
		height: 160 + sizes.length * 54,
		margin: { r: 40 },
	});
}

import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GAP, INK, inkOn, keyed, PALETTE, QUIET_INK } from "./theme.js";
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

/** What happened in one turn of the event loop, in order: a request was read, or a batch left with so many rows. */
export type HookEvent =
	| { readonly kind: "read"; readonly request: number }
	| { readonly kind: "flush"; readonly rows: number };

export interface HookRow {
	/** `microtask`, `nextTick`, `setImmediate`. */
	readonly hook: string;
	readonly events: readonly HookEvent[];
}

/** The order in which requests are read and batches leave, one line a hook: why a flush from a microtask makes batches of one. */
export function hookPictures(rows: readonly HookRow[], options: { readonly title?: string } = {}): Figure {
	const longest = Math.max(1, ...rows.map(({ events }) => events.length));
	const marks = rows.flatMap(({ events }, y) =>
		events.map((event, x) => ({
			x,
			y,
			reads: event.kind === "read",
			text: event.kind === "read" ? String(event.request) : `<b>${event.rows}</b>`,
			rows: event.kind === "read" ? 0 : event.rows,
		})),
	);
	const drawn = (colour: string, symbol: string, size: number, own: typeof marks): PlotlyObject => ({
		type: "scatter",
		mode: "markers+text",
		x: own.map(({ x }) => x),
		y: own.map(({ y }) => y),
		text: own.map(({ text }) => text),
		textfont: { color: inkOn(colour), size: 12 },
		marker: { color: colour, symbol, size, opacity: 1 },
		hoverinfo: "skip",
	});
	const sizes = rows.map(
		({ hook, events }) =>
			`${hook}: batches of ${events.flatMap((event) => (event.kind === "flush" ? [event.rows] : [])).join(", ")}`,
	);
	return figure({
		title: options.title ?? "When may a batch leave?",
		subtitle: [
			keyed("a request is read", PALETTE.sky, "circle"),
			keyed("a batch of one leaves", PALETTE.orange),
			keyed("a batch of several leaves", PALETTE.blue),
		].join(GAP),
		alt: `Order of events in one turn of the event loop. ${sizes.join("; ")}.`,
		data: [
			drawn(
				PALETTE.sky,
				"circle",
				26,
				marks.filter(({ reads }) => reads),
			),
			drawn(
				PALETTE.orange,
				"square",
				32,
				marks.filter((mark) => mark.rows === 1),
			),
			drawn(
				PALETTE.blue,
				"square",
				32,
				marks.filter((mark) => mark.rows > 1),
			),
		],
		x: axis({
			title: "order within one turn of the event loop →",
			range: [-0.7, longest - 0.3],
			grid: false,
			extra: { showticklabels: false },
		}),
		y: axis({
			range: [-0.6, rows.length - 0.4],
			reversed: true,
			ticks: rows.map(({ hook }, at) => ({ at, text: `<b>${hook}</b>` })),
		}),
		height: 126 + rows.length * 64,
		margin: { l: 112, r: 24 },
	});
}

/** How many of 2ⁿ equally likely results of n coin flips have so many heads; both ends are "all the same". */
export function coinFlips(flips: number, options: { readonly title?: string; readonly heads?: number } = {}): Figure {
	const ways = [1];
	for (let flip = 0; flip < flips; flip++)
		for (let heads = flip + 1; heads >= 0; heads--) ways[heads] = (ways[heads] ?? 0) + (ways[heads - 1] ?? 0);
	const all = 2 ** flips;
	const same = Math.min(all, 2);
	return figure({
		title: options.title ?? `${flips} fair coins: how often do all fall alike?`,
		subtitle: `All alike, either way: ${same} of ${all.toLocaleString("en-US")} results, 1 in ${all / same}`,
		alt: `Bars: number of the ${all} equally likely results by number of heads, ${ways.join(", ")}. All alike: ${same} of ${all}.`,
		data: [
			{
				type: "bar",
				x: ways.map((_, heads) => heads),
				y: ways,
				marker: { color: ways.map((_, heads) => (heads === 0 || heads === flips ? PALETTE.orange : PALETTE.blue)) },
				text: ways.map(String),
				textposition: "outside",
				cliponaxis: false,
				hovertemplate: "%{y} results with %{x} heads<extra></extra>",
			},
		],
		x: axis({
			title: "heads",
			grid: false,
			range: [-0.6, flips + 0.6],
			ticks: ways.map((_, at) => ({ at, text: String(at) })),
		}),
		y: axis({ title: `results, of ${all.toLocaleString("en-US")}`, range: [0, Math.max(...ways) * 1.18] }),
		annotations:
			options.heads === undefined
				? []
				: [
						note("yours", {
							x: options.heads,
							y: ways[options.heads] ?? 0,
							yshift: 26,
							font: { size: 12, color: QUIET_INK },
						}),
					],
		height: 320,
		margin: { r: 40 },
	});
}

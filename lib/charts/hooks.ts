import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure } from "./layout.js";
import { GAP, inkOn, keyed, PALETTE } from "./theme.js";

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

import type { PlotlyObject } from "./figure.js";
import { textWidth } from "./metrics.js";
import { keyed } from "./theme.js";

export interface EndLabel {
	readonly text: string;
	readonly colour: string;
	/** Plotly's name of the marker. @default "square" */
	readonly symbol?: string;
	/** Height of the point it belongs to, 0 = bottom of the plot, 1 = top. */
	readonly fraction: number;
}

/**
 * Moves places apart until neighbours are at least `gap` from each other, keeping their order and staying in [0, 1]:
 * once upwards, then, where the top was hit, once downwards.
 */
export function spread(places: readonly number[], gap: number): number[] {
	const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
	const moved = order.map((index) => Math.min(1, Math.max(0, places[index] ?? 0)));
	for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i] ?? 0, (moved[i - 1] ?? 0) + gap);
	// Centre each group that was pushed up on the middle of where it wanted to be.
	for (let start = 0; start < moved.length; ) {
		let end = start + 1;
		while (end < moved.length && (moved[end] ?? 0) - (moved[end - 1] ?? 0) <= gap + 1e-9) end++;
		const wanted = order.slice(start, end).reduce((sum, index) => sum + (places[index] ?? 0), 0) / (end - start);
		const middle = ((moved[start] ?? 0) + (moved[end - 1] ?? 0)) / 2;
		const floor = start === 0 ? 0 : (moved[start - 1] ?? 0) + gap;
		const shift = Math.max(Math.min(0, wanted - middle), floor - (moved[start] ?? 0));
		for (let i = start; i < end; i++) moved[i] = (moved[i] ?? 0) + shift;
		start = end;
	}
	let ceiling = 1;
	for (let i = moved.length - 1; i >= 0; i--) {
		moved[i] = Math.min(moved[i] ?? 0, ceiling);
		ceiling = (moved[i] ?? 0) - gap;
	}
	const result = new Array<number>(places.length).fill(0);
	order.forEach((index, i) => {
		result[index] = moved[i] ?? 0;
	});
	return result;
}

/** Names at the right end of lines, in the lines' colours, kept apart. `plotHeight` in px. */
export function endLabels(labels: readonly EndLabel[], plotHeight: number): PlotlyObject[] {
	const places = spread(
		labels.map(({ fraction }) => fraction),
		16 / plotHeight,
	);
	return labels.map(({ text, colour, symbol }, i) => ({
		text: keyed(text, colour, symbol),
		showarrow: false,
		xref: "paper",
		x: 1,
		xanchor: "left",
		xshift: 8,
		yref: "paper",
		y: places[i] ?? 0,
		yanchor: "middle",
		align: "left",
		font: { size: 12 },
	}));
}

/** Names above the plot where lines leave it at the top, kept apart sideways. `at` is 0…1 of the plot's width in px. */
export function topLabels(
	labels: readonly Omit<EndLabel, "fraction">[],
	at: readonly number[],
	plotWidth: number,
): PlotlyObject[] {
	const widest = Math.max(0, ...labels.map(({ text }) => textWidth(text, 12) + 26));
	const places = spread(at, widest / plotWidth);
	return labels.map(({ text, colour, symbol }, i) => ({
		text: keyed(text, colour, symbol),
		showarrow: false,
		xref: "paper",
		x: places[i] ?? 0,
		xanchor: "center",
		yref: "paper",
		y: 1,
		yanchor: "bottom",
		yshift: 2,
		font: { size: 12 },
	}));
}

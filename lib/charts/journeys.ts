import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GAP, INK, keyed, PALETTE } from "./theme.js";

/** One traveller: a passenger of the game, or a row of a batcher on a virtual clock. */
export interface Journey {
	readonly label: string;
	readonly arrived: number;
	readonly left: number;
	readonly done: number;
}

export interface JourneysOptions {
	readonly journeys: readonly Journey[];
	readonly title: string;
	/** What the numbers count: `minutes`, `ms`. */
	readonly unit: string;
	/** Names of the two parts of a journey. */
	readonly parts: { readonly wait: string; readonly ride: string };
	/** Departures, with a word each. */
	readonly departures: readonly { readonly at: number; readonly text: string }[];
}

/** Everybody's wait (pale) and ride (dark) on one time line; a dotted line where something leaves. */
export function journeyTimeline({ journeys, title, unit, parts, departures }: JourneysOptions): Figure {
	const end = Math.max(1, ...journeys.map(({ done }) => done));
	const bars = (
		name: string,
		color: string,
		from: (j: Journey) => number,
		to: (j: Journey) => number,
	): PlotlyObject => ({
		type: "bar",
		orientation: "h",
		base: journeys.map(from),
		x: journeys.map((journey) => to(journey) - from(journey)),
		y: journeys.map((_, at) => at),
		marker: { color },
		hovertemplate: `${name}: %{x:.3g} ${unit}<extra></extra>`,
	});
	const told = journeys.map(
		({ label, arrived, left, done }) => `${label} waits from ${arrived} to ${left} and is done at ${done}`,
	);
	return figure({
		title,
		subtitle: `${keyed(parts.wait, PALETTE.sky)}${GAP}${keyed(parts.ride, PALETTE.blue)}`,
		alt: `Time line in ${unit}: ${told.join("; ")}.`,
		data: [
			bars(
				parts.wait,
				PALETTE.sky,
				(j) => j.arrived,
				(j) => j.left,
			),
			bars(
				parts.ride,
				PALETTE.blue,
				(j) => j.left,
				(j) => j.done,
			),
		],
		x: axis({ title: unit, range: [-0.02 * end, end * 1.03] }),
		y: axis({
			range: [-0.6, journeys.length - 0.4],
			reversed: true,
			grid: false,
			ticks: journeys.map(({ label }, at) => ({ at, text: label })),
		}),
		shapes: departures.map(({ at }) => ({
			type: "line",
			x0: at,
			x1: at,
			yref: "paper",
			y0: 0,
			y1: 1,
			line: { color: INK, width: 1, dash: "dot" },
		})),
		annotations: departures.map(({ at, text }) =>
			note(text, { x: at, yref: "paper", y: 1, yanchor: "bottom", font: { size: 11, color: INK } }),
		),
		layout: { barmode: "overlay", bargap: 0.35 },
		height: 150 + journeys.length * 26,
		margin: { l: 100, r: 40, t: 84 },
	});
}

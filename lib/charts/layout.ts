import type { Figure, PlotlyObject } from "./figure.js";
import { compact } from "./figure.js";
import { GRID, INK, PAPER, QUIET_INK } from "./theme.js";

export const FONT = "Helvetica, Arial, sans-serif";
/** px; fits a column of 800 px and a page. */
export const WIDTH = 720;
const HEIGHT = 400;

/** What an axis is: its words (with the unit), its range and its ticks. */
export interface AxisOptions {
	readonly title?: string;
	/** In data units, on a log axis too. */
	readonly range?: readonly [number, number];
	readonly log?: boolean;
	/** Where ticks stand and what they say; left out: Plotly's own. */
	readonly ticks?: readonly Tick[];
	readonly grid?: boolean;
	readonly reversed?: boolean;
	readonly extra?: PlotlyObject;
}

export interface Tick {
	readonly at: number;
	readonly text: string;
}

/** An axis as Plotly has it: fixed range, no zero line in another colour, outside title. */
export function axis({
	title,
	range,
	log = false,
	ticks,
	grid = true,
	reversed = false,
	extra,
}: AxisOptions): PlotlyObject {
	const ends = range === undefined ? undefined : log ? range.map(Math.log10) : [...range];
	return {
		...(title === undefined ? {} : { title: { text: title, standoff: 10, font: { size: 13 } } }),
		...(log ? { type: "log" } : {}),
		...(ends === undefined ? {} : { range: reversed ? ends.reverse() : ends }),
		...(ticks === undefined
			? {}
			: { tickmode: "array", tickvals: ticks.map(({ at }) => at), ticktext: ticks.map(({ text }) => text) }),
		showgrid: grid,
		gridcolor: GRID,
		linecolor: GRID,
		zeroline: false,
		...extra,
	};
}

export interface FigureOptions {
	readonly title: string;
	/** A second, quieter line: what one mark is, which rounds, which machine. */
	readonly subtitle?: string;
	readonly alt: string;
	readonly data: readonly PlotlyObject[];
	readonly x: PlotlyObject;
	readonly y: PlotlyObject;
	readonly shapes?: readonly PlotlyObject[];
	readonly annotations?: readonly PlotlyObject[];
	readonly height?: number;
	readonly margin?: { readonly l?: number; readonly r?: number; readonly t?: number; readonly b?: number };
	readonly layout?: PlotlyObject;
}

/** A whole figure, 720 px wide, so that it is readable in a column of 800 px and on paper. */
export function figure(options: FigureOptions): Figure {
	const { title, subtitle, alt, data, x, y, shapes = [], annotations = [], height = HEIGHT, margin = {} } = options;
	const sub = subtitle === undefined ? "" : `<br><span style="font-size:12px;color:${QUIET_INK}">${subtitle}</span>`;
	const layout: PlotlyObject = {
		width: WIDTH,
		height,
		font: { family: FONT, size: 13, color: INK },
		paper_bgcolor: PAPER,
		plot_bgcolor: PAPER,
		margin: { l: 70, r: 120, t: subtitle === undefined ? 50 : 66, b: 54, ...margin },
		title: {
			text: `<b>${title}</b>${sub}`,
			x: 0,
			xref: "paper",
			xanchor: "left",
			y: 1,
			yref: "container",
			yanchor: "top",
			pad: { t: 16 },
			font: { size: 15 },
		},
		showlegend: false,
		hovermode: "closest",
		xaxis: x,
		yaxis: y,
		...(shapes.length === 0 ? {} : { shapes }),
		...(annotations.length === 0 ? {} : { annotations }),
		...options.layout,
	};
	return { data: data.map(compact), layout: compact(layout), alt, width: WIDTH, height };
}

/** A word at a place, without an arrow. `x` and `y` are in data units (give logarithms on log axes) unless `ref` says otherwise. */
export function note(text: string, at: PlotlyObject): PlotlyObject {
	return { text, showarrow: false, font: { size: 12, color: QUIET_INK }, ...at };
}

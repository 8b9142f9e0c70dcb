import type { CallFit } from "../stats/index.js";
import type { Figure, PlotlyObject } from "./figure.js";
import { endLabels } from "./labels.js";
import { axis, figure } from "./layout.js";
import { PALETTE } from "./theme.js";
import { logRange, logTicks } from "./ticks.js";

/** Part A of one model: times of a call by batch size. */
export interface CostSeries {
	readonly model: string;
	readonly points: readonly {
		readonly size: number;
		readonly us: number;
		readonly lowUs?: number;
		readonly highUs?: number;
	}[];
	readonly fit?: Pick<CallFit, "fixedUs" | "marginalUs">;
	readonly plateauSize?: number | null;
}

const COLOURS = [PALETTE.blue, PALETTE.orange, PALETTE.green, PALETTE.pink];
const SYMBOLS = ["square", "circle", "diamond", "triangle-up"];

const microseconds = (us: number) => `${Number(us.toPrecision(3)).toLocaleString("en-US")} µs`;

function traces({ model, points, fit }: CostSeries, place: number): PlotlyObject[] {
	const colour = COLOURS[place % COLOURS.length] ?? PALETTE.grey;
	const perRow = points.map(({ size, us }) => us / size);
	const measured: PlotlyObject = {
		type: "scatter",
		mode: "markers",
		name: model,
		x: points.map(({ size }) => size),
		y: perRow,
		marker: { color: colour, size: 8, symbol: SYMBOLS[place % SYMBOLS.length] ?? "circle" },
		error_y: {
			type: "data",
			symmetric: false,
			array: points.map(({ size, us, highUs }) => ((highUs ?? us) - us) / size),
			arrayminus: points.map(({ size, us, lowUs }) => (us - (lowUs ?? us)) / size),
			thickness: 1,
			width: 3,
			color: colour,
		},
		hovertemplate: `${model}: %{y:.3g} µs a row in batches of %{x}<extra></extra>`,
	};
	if (fit === undefined) return [{ ...measured, mode: "lines+markers", line: { color: colour, width: 1 } }];
	const sizes = points.map(({ size }) => size);
	const from = Math.log2(Math.min(...sizes));
	const to = Math.log2(Math.max(...sizes));
	const curve = Array.from({ length: 41 }, (_, i) => 2 ** (from + ((to - from) * i) / 40));
	return [
		{
			type: "scatter",
			mode: "lines",
			x: curve,
			y: curve.map((size) => fit.fixedUs / size + fit.marginalUs),
			line: { color: colour, width: 2, dash: "dot" },
			hoverinfo: "skip",
		},
		measured,
	];
}

/** Cost of a row by batch size, both axes logarithmic: measured marks and, where there is a fit, the curve a ÷ n + b. */
export function perRowCurve(series: readonly CostSeries[], options: { readonly title?: string } = {}): Figure {
	const perRow = series.flatMap(({ points }) =>
		points.flatMap(({ size, us, lowUs, highUs }) => [us / size, (lowUs ?? us) / size, (highUs ?? us) / size]),
	);
	const [low, high] = logRange(perRow);
	const sizes = [...new Set(series.flatMap(({ points }) => points.map(({ size }) => size)))].sort((a, b) => a - b);
	const height = 400;
	const labels = series.map(({ model, points, fit }, place) => {
		const end = points.at(-1);
		const at = end === undefined ? low : end.us / end.size;
		const detail =
			fit === undefined ? "" : `<br>${microseconds(fit.fixedUs)} a call<br>+ ${microseconds(fit.marginalUs)} a row`;
		return {
			text: `<b>${model}</b>${detail}`,
			colour: COLOURS[place % COLOURS.length] ?? PALETTE.grey,
			symbol: SYMBOLS[place % SYMBOLS.length] ?? "circle",
			fraction: Math.log(at / low) / Math.log(high / low),
		};
	});
	const said = series.map(({ model, points, fit, plateauSize }) => {
		const first = points[0];
		const last = points.at(-1);
		const ends =
			first === undefined || last === undefined
				? "no points"
				: `${microseconds(first.us / first.size)} a row in batches of ${first.size}, ${microseconds(last.us / last.size)} in batches of ${last.size}`;
		const line =
			fit === undefined ? "" : `; about ${microseconds(fit.fixedUs)} a call and ${microseconds(fit.marginalUs)} a row`;
		const plateau =
			plateauSize === undefined
				? ""
				: plateauSize === null
					? "; no plateau up to the largest size"
					: `; plateau from ${plateauSize} rows on`;
		return `${model}: ${ends}${line}${plateau}`;
	});
	return figure({
		title: options.title ?? "What one row costs in a batch",
		subtitle: `Mark = median call ÷ rows; thin line = all repeats${series.some(({ fit }) => fit !== undefined) ? "; dotted = fixed cost ÷ rows + cost of a row" : ""}`,
		alt: `Both axes logarithmic: time a row by rows in a call. ${said.join(". ")}.`,
		data: series.flatMap(traces),
		x: axis({
			title: "rows in one call",
			range: [(sizes[0] ?? 1) / 1.3, (sizes.at(-1) ?? 1024) * 1.3],
			log: true,
			ticks: sizes.map((at) => ({ at, text: at.toLocaleString("en-US") })),
		}),
		y: axis({ title: "time a row", range: [low, high], log: true, ticks: logTicks(low, high, microseconds) }),
		annotations: endLabels(labels, (height - 66 - 54) / 3.2),
		height,
		margin: { l: 86, r: 138 },
	});
}

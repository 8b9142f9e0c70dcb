import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure } from "./layout.js";
import { GAP, keyed, PALETTE } from "./theme.js";

/** The bit check of one model. */
export interface BitSeries {
	readonly model: string;
	readonly rows: number;
	readonly sizes: readonly { readonly size: number; readonly differingRows: number }[];
}

const COLOURS = [PALETTE.blue, PALETTE.orange, PALETTE.green, PALETTE.pink] as const;

/** Three digits that count, as the text has it: one row of many thousands is not "0.0 %". */
function shareText(percent: number): string {
	return `${Number(percent.toPrecision(3))} %`;
}

/** Which share of the rows got another score than alone, by batch size; one group of bars a size. */
export function bitShares(series: readonly BitSeries[], options: { readonly title?: string } = {}): Figure {
	const sizes = [...new Set(series.flatMap((one) => one.sizes.map(({ size }) => size)))].sort((a, b) => a - b);
	const percent = (one: BitSeries, size: number) => {
		const found = one.sizes.find((entry) => entry.size === size);
		return found === undefined ? null : (100 * found.differingRows) / one.rows;
	};
	const changed = (one: BitSeries) => one.sizes.some(({ differingRows }) => differingRows > 0);
	const colour = (at: number) => COLOURS[at % COLOURS.length] ?? PALETTE.grey;
	const most = Math.max(1, ...series.flatMap((one) => sizes.map((size) => percent(one, size) ?? 0)));
	const told = series.map((one) => {
		const tried = one.sizes.map(({ size }) => `${shareText(percent(one, size) ?? 0)} at ${size}`);
		return `${one.model}: ${tried.join(", ")}`;
	});
	return figure({
		title: options.title ?? "Rows whose score changed in company",
		subtitle: series
			.map((one, at) => keyed(`${one.model}${changed(one) ? "" : ": none at any size"}`, colour(at)))
			.join(GAP),
		alt: `Bars: percent of rows with another score than alone, by batch size. ${told.join(". ")}.`,
		data: series.map(
			(one, at): PlotlyObject => ({
				type: "bar",
				name: one.model,
				x: sizes.map((_, place) => place),
				y: sizes.map((size) => percent(one, size)),
				marker: { color: colour(at) },
				hovertemplate: `${one.model}: %{y:.3g} %<extra></extra>`,
			}),
		),
		x: axis({
			title: "rows in a call",
			grid: false,
			ticks: sizes.map((size, at) => ({ at, text: size.toLocaleString("en-US") })),
		}),
		y: axis({ title: "% of rows", range: [0, most * 1.1] }),
		layout: { barmode: "group", bargap: 0.25 },
		margin: { r: 30 },
	});
}

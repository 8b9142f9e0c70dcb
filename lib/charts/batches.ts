import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GAP, inkOn, keyed, lookOf, PALETTE, PAPER } from "./theme.js";

/** How often each batch size came, for one setting at one rate. */
export interface BatchSizeRow {
	readonly label: string;
	readonly setting: string;
	/** Batches by size. */
	readonly counts: ReadonlyMap<number, number> | readonly (readonly [size: number, batches: number])[];
}

/** Edges of the classes in which many sizes become few bars: 1, 2, 3–4, 5–8, 9–16, … */
function classOf(size: number): number {
	return size <= 1 ? 0 : Math.ceil(Math.log2(size));
}

function className(index: number): string {
	if (index <= 1) return String(index + 1);
	return `${2 ** (index - 1) + 1}–${2 ** index}`;
}

/** In which share of batches so many requests rode together; one panel a row, one above the other. */
export function batchSizes(rows: readonly BatchSizeRow[], options: { readonly title?: string } = {}): Figure {
	const shares = rows.map(({ counts }) => {
		const byClass: number[] = [];
		let batches = 0;
		let requests = 0;
		for (const [size, count] of counts) {
			const index = classOf(size);
			byClass[index] = (byClass[index] ?? 0) + count;
			batches += count;
			requests += size * count;
		}
		return {
			mean: batches === 0 ? 0 : requests / batches,
			byClass: Array.from(byClass, (count = 0) => (batches === 0 ? 0 : (100 * count) / batches)),
		};
	});
	const classes = Math.max(1, ...shares.map(({ byClass }) => byClass.length));
	const axes: Record<string, PlotlyObject> = {};
	const data = rows.map(({ setting }, row): PlotlyObject => {
		const bottom = 1 - (row + 1) / rows.length;
		axes[row === 0 ? "yaxis" : `yaxis${row + 1}`] = axis({
			range: [0, 118],
			ticks: [
				{ at: 0, text: "0" },
				{ at: 100, text: "100 %" },
			],
			extra: { domain: [bottom + 0.06 / rows.length, bottom + 0.9 / rows.length] },
		});
		const byClass = shares[row]?.byClass ?? [];
		return {
			type: "bar",
			x: byClass.map((_, index) => index),
			y: byClass,
			yaxis: row === 0 ? "y" : `y${row + 1}`,
			marker: { color: lookOf(setting, row).colour },
			text: byClass.map((share) => (share < 0.5 ? "" : `${Math.round(share)} %`)),
			textposition: "outside",
			textfont: { size: 11 },
			cliponaxis: false,
			hovertemplate: "%{y:.1f} % of batches<extra></extra>",
		};
	});
	const { yaxis = {}, ...others } = axes;
	const mean = (row: number) => `mean ${(shares[row]?.mean ?? 0).toFixed(1)} rows`;
	return figure({
		title: options.title ?? "How full the batches were",
		subtitle: "Share of batches by number of rows",
		alt: `Bars: share of batches by size. ${rows.map(({ label }, row) => `${label}: ${mean(row)}`).join("; ")}.`,
		data,
		x: axis({
			title: "rows in the batch",
			grid: false,
			range: [-0.6, classes - 0.4],
			ticks: Array.from({ length: classes }, (_, at) => ({ at, text: className(at) })),
			extra: { anchor: rows.length <= 1 ? "y" : `y${rows.length}` },
		}),
		y: yaxis,
		layout: others,
		annotations: rows.map(({ label }, row) =>
			note(`<b>${label}</b><br>${mean(row)}`, {
				xref: "paper",
				x: 1,
				xanchor: "left",
				xshift: 10,
				yref: "paper",
				y: 1 - (row + 0.52) / rows.length,
				yanchor: "middle",
				align: "left",
			}),
		),
		height: 116 + Math.max(1, rows.length) * 96,
		margin: { r: 148 },
	});
}

/** Why batches left, for one setting at one rate: batches by reason. */
export interface FlushReasonRow {
	readonly label: string;
	readonly counts: Readonly<Record<string, number>>;
}

const REASONS: readonly { readonly name: string; readonly says: string; readonly colour: string }[] = [
	{ name: "full", says: "full: B rows", colour: PALETTE.blue },
	{ name: "timer", says: "timer: W is over", colour: PALETTE.pink },
	{ name: "idle", says: "idle: model free, W = 0", colour: PALETTE.green },
	{ name: "deadline", says: "deadline of a row", colour: PALETTE.orange },
	{ name: "drain", says: "drain: service closes", colour: PALETTE.grey },
];

/** Shares of flush reasons as one stacked bar a row. */
export function flushReasons(rows: readonly FlushReasonRow[], options: { readonly title?: string } = {}): Figure {
	const totals = rows.map(({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0));
	const share = (row: number, name: string) => ((rows[row]?.counts[name] ?? 0) / (totals[row] || 1)) * 100;
	const used = REASONS.filter(({ name }) => rows.some(({ counts }) => (counts[name] ?? 0) > 0));
	const legend = used.map(({ says, colour }) => keyed(says, colour)).join(GAP);
	return figure({
		title: options.title ?? "Why the batches left",
		subtitle: "Share of batches by flush reason",
		alt: `Stacked bars. ${rows.map(({ label }, row) => `${label}: ${used.map(({ name }) => `${name} ${Math.round(share(row, name))} %`).join(", ")}`).join("; ")}.`,
		data: used.map(({ name, colour }): PlotlyObject => {
			const values = rows.map((_, row) => share(row, name));
			return {
				type: "bar",
				orientation: "h",
				name,
				x: values,
				y: rows.map((_, row) => row),
				marker: { color: colour, line: { color: PAPER, width: 1 } },
				text: values.map((value) => (value < 6 ? "" : `${Math.round(value)} %`)),
				textposition: "inside",
				insidetextanchor: "middle",
				textangle: 0,
				textfont: { color: inkOn(colour), size: 12 },
				hovertemplate: `${name}: %{x:.1f} %<extra></extra>`,
			};
		}),
		x: axis({ title: "share of batches, %", range: [0, 100] }),
		y: axis({
			range: [-0.6, rows.length - 0.4],
			reversed: true,
			grid: false,
			ticks: rows.map(({ label }, at) => ({ at, text: label })),
		}),
		annotations: [
			note(legend, { xref: "paper", x: 0, xanchor: "left", yref: "paper", y: 1, yanchor: "bottom", yshift: 4 }),
		],
		layout: { barmode: "stack", bargap: 0.3 },
		height: 150 + rows.length * 36,
		margin: { l: 130, r: 40, t: 92 },
	});
}

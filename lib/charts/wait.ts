import { median } from "../stats/index.js";
import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { GRID, lookOf, QUIET_INK } from "./theme.js";
import { durationText, linearRange } from "./ticks.js";

/** What one setting's wait cost: its median latency minus that of `none` on the same arrivals, one number a round. */
export interface WaitPrice {
	readonly setting: string;
	readonly maxWaitMs: number;
	readonly differencesMs: readonly number[];
}

export interface PriceOfWaitOptions {
	readonly model?: string;
	readonly rateMultiple?: number;
	readonly title?: string;
}

/** Places for the dots of one column, side by side: a round is always at the same place. */
function beside(count: number, width: number): number[] {
	return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : (i / (count - 1) - 0.5) * width));
}

/**
 * What a timed wait costs the median request at a low rate: one column a setting, one dot a round, a bar at the median,
 * and a short line where the cost would be the wait itself.
 */
export function priceOfWait(prices: readonly WaitPrice[], options: PriceOfWaitOptions = {}): Figure {
	const { model, rateMultiple = 0.5 } = options;
	const ordered = [...prices].sort(
		(a, b) => a.maxWaitMs - b.maxWaitMs || a.setting.localeCompare(b.setting, "en", { numeric: true }),
	);
	const range = linearRange(
		ordered.flatMap(({ differencesMs, maxWaitMs }) => [...differencesMs, maxWaitMs]),
		true,
	);
	const dots = ordered.map(({ setting, differencesMs }, place): PlotlyObject => {
		const look = lookOf(setting, place);
		return {
			type: "scatter",
			mode: "markers",
			x: beside(differencesMs.length, 0.36).map((shift) => place + shift),
			y: [...differencesMs],
			marker: { color: look.colour, size: 9, symbol: look.symbol },
			hovertemplate: `${setting}: %{y:.3g} ms<extra></extra>`,
		};
	});
	const lines = ordered.flatMap(({ setting, maxWaitMs, differencesMs }, place) => [
		{
			type: "line",
			x0: place - 0.3,
			x1: place + 0.3,
			y0: median(differencesMs),
			y1: median(differencesMs),
			line: { color: lookOf(setting, place).colour, width: 3 },
		},
		...(maxWaitMs > 0
			? [
					{
						type: "line",
						x0: place - 0.42,
						x1: place + 0.42,
						y0: maxWaitMs,
						y1: maxWaitMs,
						line: { color: QUIET_INK, width: 1, dash: "dot" },
					},
				]
			: []),
	]);
	const waited = ordered.findIndex(({ maxWaitMs }) => maxWaitMs > 0);
	const said = ordered.map(({ setting, differencesMs }) => `${setting} ${durationText(median(differencesMs))}`);
	return figure({
		title: options.title ?? `Price of the wait at ${rateMultiple} S${model === undefined ? "" : `, model ${model}`}`,
		subtitle:
			"Dot = one round, median latency minus that of none on the same arrivals; bar = median; dotted = W itself",
		alt: `Dots a setting: difference in median latency from none, ms, at ${rateMultiple} S. Medians: ${said.join(", ")}.`,
		data: dots,
		x: axis({
			range: [-0.6, ordered.length - 0.4],
			grid: false,
			ticks: ordered.map(({ setting, maxWaitMs }, at) => ({ at, text: `${setting}<br>W = ${maxWaitMs} ms` })),
		}),
		y: axis({ title: "median latency minus none's, ms", range }),
		shapes: [
			{ type: "line", xref: "paper", x0: 0, x1: 1, y0: 0, y1: 0, layer: "below", line: { color: GRID, width: 3 } },
			...lines,
		],
		annotations: [
			note("same<br>as none", { xref: "paper", x: 1, xanchor: "left", y: 0, xshift: 6 }),
			...(waited < 0
				? []
				: [
						note(`W = ${ordered[waited]?.maxWaitMs ?? 0} ms`, {
							x: waited + 0.44,
							y: ordered[waited]?.maxWaitMs ?? 0,
							xanchor: "left",
						}),
					]),
		],
		margin: { r: 76 },
	});
}

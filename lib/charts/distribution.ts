import type { EcdfPoint } from "../stats/index.js";
import type { Figure } from "./figure.js";
import { topLabels } from "./labels.js";
import { axis, figure, WIDTH } from "./layout.js";
import { labelLook, lookOf } from "./theme.js";
import { durationText, logRange, logTicks } from "./ticks.js";

/** The latencies of one setting as points of its empirical distribution; `value` in ms. */
export interface EcdfSeries {
	readonly setting: string;
	readonly label?: string;
	readonly points: readonly EcdfPoint[];
}

/** Where a share stands on an axis that gives each further nine the same room: 90 % → 1, 99 % → 2. */
function nines(share: number): number {
	return -Math.log10(Math.max(1 - share, 1e-9));
}

/** Share of requests answered within a time; the upper axis stretches so that the slowest 1 in 100 and 1 in 1,000 can be seen. */
export function latencyDistribution(series: readonly EcdfSeries[], options: { readonly title?: string } = {}): Figure {
	const top = 3.15;
	const shown = series.map(({ points }) => points.filter(({ share }) => nines(share) <= top));
	const [low, high] = logRange(
		shown.flatMap((points) => points.map(({ value }) => value)),
		1.1,
	);
	const height = 440;
	const said = series.map(({ setting, label, points }) => {
		const at = (share: number) => points.find((point) => point.share >= share)?.value;
		const [half, slow] = [at(0.5), at(0.99)];
		return `${label ?? setting}: half within ${half === undefined ? "?" : durationText(half)}, 99 of 100 within ${slow === undefined ? "?" : durationText(slow)}`;
	});
	return figure({
		title: options.title ?? "How long the requests took",
		subtitle: "Share of requests answered within a time; the axis stretches towards the slowest",
		alt: `Distribution of latencies, both ends stretched. ${said.join(". ")}.`,
		data: series.map(({ setting, label }, place) => ({
			type: "scatter",
			mode: "lines",
			name: label ?? setting,
			x: (shown[place] ?? []).map(({ value }) => value),
			y: (shown[place] ?? []).map(({ share }) => nines(share)),
			line: { color: lookOf(setting, place).colour, dash: lookOf(setting, place).dash, width: 2, shape: "hv" },
			hovertemplate: `${label ?? setting}: %{x:.3g} ms<extra></extra>`,
		})),
		x: axis({
			title: "latency, from the scheduled arrival",
			range: [low, high],
			log: true,
			ticks: logTicks(low, high, durationText),
		}),
		y: axis({
			title: "share of requests answered",
			range: [0, top],
			ticks: [
				{ at: 0, text: "0" },
				{ at: nines(0.5), text: "half" },
				{ at: 1, text: "9 of 10" },
				{ at: 2, text: "99 of 100" },
				{ at: 3, text: "999 of 1,000" },
			],
		}),
		annotations: topLabels(
			series.map(({ setting, label }, place) => ({ text: label ?? setting, ...labelLook(setting, place) })),
			shown.map((points) => Math.log((points.at(-1)?.value ?? low) / low) / Math.log(high / low)),
			WIDTH - 104 - 40,
		),
		height,
		margin: { l: 104, r: 40, t: 84 },
	});
}

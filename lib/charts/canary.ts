import { median } from "../stats/index.js";
import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure } from "./layout.js";
import { PALETTE } from "./theme.js";
import { durationText, linearRange } from "./ticks.js";

/** The fixed piece of work around one run. */
export interface CanaryPoint {
	readonly minutes: number;
	/** Mean of before and after. */
	readonly ms: number;
	/** It took clearly longer after than before. */
	readonly drifted: boolean;
}

/** A picture of more dots than this is slow to draw, large, and no clearer. */
const MOST_DOTS = 120;

/** Neighbours in time share a dot, their median, so that a long lab's picture stays small; drifted runs keep their own. */
function thinned(points: readonly CanaryPoint[]): { readonly dots: readonly CanaryPoint[]; readonly share: number } {
	const share = Math.ceil(points.length / MOST_DOTS);
	const dots: CanaryPoint[] = [];
	for (let from = 0; from < points.length; from += share) {
		const group = points.slice(from, from + share);
		const middle = (pick: (point: CanaryPoint) => number) => median(group.map(pick));
		dots.push({ minutes: middle(({ minutes }) => minutes), ms: middle(({ ms }) => ms), drifted: false });
	}
	return { dots, share };
}

/** The machine's own speed over the lab: how long the same piece of work took around each run. */
export function canaryOverTime(points: readonly CanaryPoint[], options: { readonly title?: string } = {}): Figure {
	const { dots, share } = thinned(points.filter((point) => !point.drifted));
	const marks = (drifted: boolean): PlotlyObject => {
		const own = drifted ? points.filter((point) => point.drifted) : dots;
		const colour = drifted ? PALETTE.orange : PALETTE.blue;
		return {
			type: "scatter",
			mode: "markers",
			x: own.map(({ minutes }) => minutes),
			y: own.map(({ ms }) => ms),
			marker: { color: colour, size: 7, symbol: drifted ? "x" : "circle" },
			hovertemplate: "%{y:.4g} ms at %{x:.1f} min<extra></extra>",
		};
	};
	const times = points.map(({ ms }) => ms);
	const drifted = points.filter((point) => point.drifted).length;
	const [low, high] = [Math.min(...times), Math.max(...times)];
	return figure({
		title: options.title ?? "Was the machine equally fast all the time?",
		subtitle: `One fixed piece of work, ${share > 1 ? `the median of ${share} runs a dot` : "around every run"}; cross = longer after the run`,
		alt: `Dots over time, ms for a fixed piece of work: from ${durationText(low)} to ${durationText(high)}; ${drifted} of ${points.length} belong to runs that drifted.`,
		data: [marks(false), marks(true)],
		x: axis({ title: "minutes since the first run", range: linearRange(points.map(({ minutes }) => minutes)) }),
		y: axis({ title: "time of the fixed work, ms", range: [0, high * 1.15] }),
		margin: { r: 40 },
		height: 320,
	});
}

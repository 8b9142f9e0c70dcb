import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure } from "./layout.js";
import { PALETTE } from "./theme.js";
import { durationText, linearRange } from "./ticks.js";

/** One time of the fixed piece of work. */
export interface CanaryPoint {
	readonly minutes: number;
	readonly ms: number;
	/** The run around it was marked as drifted. */
	readonly drifted: boolean;
}

/** The machine's own speed over the lab: how long the same piece of work took before and after each run. */
export function canaryOverTime(points: readonly CanaryPoint[], options: { readonly title?: string } = {}): Figure {
	const marks = (drifted: boolean): PlotlyObject => {
		const own = points.filter((point) => point.drifted === drifted);
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
		subtitle: "Time of one fixed piece of work before and after every run; cross = the run around it drifted",
		alt: `Dots over time, ms for a fixed piece of work: from ${durationText(low)} to ${durationText(high)}; ${drifted} of ${points.length} belong to runs that drifted.`,
		data: [marks(false), marks(true)],
		x: axis({ title: "minutes since the first run", range: linearRange(points.map(({ minutes }) => minutes)) }),
		y: axis({ title: "time of the fixed work, ms", range: [0, high * 1.15] }),
		margin: { r: 40 },
		height: 320,
	});
}

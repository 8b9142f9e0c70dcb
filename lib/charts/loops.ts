import type { Figure, PlotlyObject } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { FIELD, PALETTE, QUIET_INK } from "./theme.js";
import { durationText, linearRange, logRange, logTicks } from "./ticks.js";

/** One request of a demonstration: when it was sent (closed loop) or due (open loop), and how long it took. */
export interface TimedRequest {
	readonly seconds: number;
	readonly ms: number;
}

export interface LoopsOptions {
	readonly closed: readonly TimedRequest[];
	readonly open: readonly TimedRequest[];
	/** When the server froze, seconds. */
	readonly freeze: { readonly from: number; readonly to: number };
	readonly title?: string;
}

/** At most `most` dots, the slowest of each stretch kept, so that thinning hides no slow request. */
function thin(requests: readonly TimedRequest[], most: number): TimedRequest[] {
	if (requests.length <= most) return [...requests];
	const stretch = requests.length / most;
	return Array.from({ length: most }, (_, i) => {
		const part = requests.slice(Math.floor(i * stretch), Math.floor((i + 1) * stretch));
		return part.reduce(
			(slowest, request) => (request.ms > slowest.ms ? request : slowest),
			part[0] ?? { seconds: 0, ms: 0 },
		);
	});
}

/**
 * The same frozen server seen by two clients. The closed loop stops asking while it waits, so one request per
 * connection is slow; the open loop goes on asking, as customers do, and hundreds are.
 */
export function closedAgainstOpen({ closed, open, freeze, title }: LoopsOptions): Figure {
	const all = [...closed, ...open];
	const [low, high] = logRange(all.map(({ ms }) => ms));
	const slow = (requests: readonly TimedRequest[]) => requests.filter(({ ms }) => ms > 100).length;
	const axes = { range: [low, high] as const, log: true, ticks: logTicks(low, high, durationText) };
	const panel = (requests: readonly TimedRequest[], place: number): PlotlyObject => {
		const dots = thin(requests, 100);
		return {
			type: "scatter",
			mode: "markers",
			x: dots.map(({ seconds }) => seconds),
			y: dots.map(({ ms }) => ms),
			yaxis: place === 0 ? "y" : "y2",
			marker: {
				color: place === 0 ? PALETTE.orange : PALETTE.blue,
				size: 5,
				symbol: place === 0 ? "diamond" : "square",
			},
			hovertemplate: "%{y:.3g} ms at %{x:.2f} s<extra></extra>",
		};
	};
	const share = (requests: readonly TimedRequest[]) =>
		`${slow(requests).toLocaleString("en-US")} of ${requests.length.toLocaleString("en-US")}<br>took over 100 ms`;
	return figure({
		title: title ?? "One frozen server, two clients",
		subtitle: "Dots = a sample of the requests, the slowest among them; grey = the server answers nobody",
		alt: `Two panels of dots, latency by time. Closed loop: ${slow(closed)} of ${closed.length} requests took over 100 ms. Open loop: ${slow(open)} of ${open.length}. The server was frozen from ${freeze.from} to ${freeze.to} s.`,
		data: [panel(closed, 0), panel(open, 1)],
		x: axis({
			title: "when the request was sent (closed) or due (open), s",
			range: linearRange(
				all.map(({ seconds }) => seconds),
				true,
			),
			extra: { anchor: "y2" },
		}),
		y: axis({ ...axes, title: "latency", extra: { domain: [0.53, 1] } }),
		layout: { yaxis2: axis({ ...axes, title: "latency", extra: { domain: [0, 0.45] } }) },
		shapes: [
			{
				type: "rect",
				x0: freeze.from,
				x1: freeze.to,
				yref: "paper",
				y0: 0,
				y1: 1,
				fillcolor: FIELD,
				line: { width: 0 },
				layer: "below",
			},
		],
		annotations: [
			note(`<b>closed loop</b><br>${share(closed)}`, {
				xref: "paper",
				x: 1,
				xanchor: "left",
				xshift: 8,
				yref: "paper",
				y: 0.78,
				align: "left",
				font: { size: 12, color: PALETTE.orange },
			}),
			note(`<b>open loop</b><br>${share(open)}`, {
				xref: "paper",
				x: 1,
				xanchor: "left",
				xshift: 8,
				yref: "paper",
				y: 0.23,
				align: "left",
				font: { size: 12, color: PALETTE.blue },
			}),
			note("frozen", {
				x: (freeze.from + freeze.to) / 2,
				yref: "paper",
				y: 1,
				yanchor: "bottom",
				font: { size: 12, color: QUIET_INK },
			}),
		],
		height: 480,
		margin: { l: 78, r: 136, t: 84 },
	});
}

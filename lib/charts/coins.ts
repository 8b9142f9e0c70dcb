import type { Figure } from "./figure.js";
import { axis, figure, note } from "./layout.js";
import { PALETTE, QUIET_INK } from "./theme.js";

/** How many of 2ⁿ equally likely results of n coin flips have so many heads; both ends are "all the same". */
export function coinFlips(flips: number, options: { readonly title?: string; readonly heads?: number } = {}): Figure {
	const ways = [1];
	for (let flip = 0; flip < flips; flip++)
		for (let heads = flip + 1; heads >= 0; heads--) ways[heads] = (ways[heads] ?? 0) + (ways[heads - 1] ?? 0);
	const all = 2 ** flips;
	const same = Math.min(all, 2);
	return figure({
		title: options.title ?? `${flips} fair coins: how often do all fall alike?`,
		subtitle: `All alike, either way: ${same} of ${all.toLocaleString("en-US")} results, 1 in ${all / same}`,
		alt: `Bars: number of the ${all} equally likely results by number of heads, ${ways.join(", ")}. All alike: ${same} of ${all}.`,
		data: [
			{
				type: "bar",
				x: ways.map((_, heads) => heads),
				y: ways,
				marker: { color: ways.map((_, heads) => (heads === 0 || heads === flips ? PALETTE.orange : PALETTE.blue)) },
				text: ways.map(String),
				textposition: "outside",
				cliponaxis: false,
				hovertemplate: "%{y} results with %{x} heads<extra></extra>",
			},
		],
		x: axis({
			title: "heads",
			grid: false,
			range: [-0.6, flips + 0.6],
			ticks: ways.map((_, at) => ({ at, text: String(at) })),
		}),
		y: axis({ title: `results, of ${all.toLocaleString("en-US")}`, range: [0, Math.max(...ways) * 1.18] }),
		annotations:
			options.heads === undefined
				? []
				: [
						note("yours", {
							x: options.heads,
							y: ways[options.heads] ?? 0,
							yshift: 26,
							font: { size: 12, color: QUIET_INK },
						}),
					],
		height: 320,
		margin: { r: 40 },
	});
}

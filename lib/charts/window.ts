import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { JSDOM, VirtualConsole } from "jsdom";
import { boxAround } from "./boxes.js";
import type { Figure, PlotlyObject } from "./figure.js";
import { slimSvg } from "./slim.js";

/** What this module uses of Plotly. */
interface Plotly {
	newPlot(root: unknown, data: readonly PlotlyObject[], layout: PlotlyObject, config: PlotlyObject): Promise<unknown>;
	toImage(root: unknown, options: PlotlyObject): Promise<string>;
	purge(root: unknown): void;
}

function isPlotly(value: unknown): value is Plotly {
	return typeof value === "object" && value !== null && "newPlot" in value && "toImage" in value && "purge" in value;
}

function rectangle(element: Element, outside: boolean) {
	const { left, top, right, bottom } = boxAround(element, outside);
	return { x: left, y: top, left, top, right, bottom, width: right - left, height: bottom - top };
}

/**
 * A page in memory with Plotly in it and the few things that Plotly asks of a browser and jsdom lacks. Takes 1–2 s and
 * up to 200 MB, so only the short-lived drawing process makes one. Ids come from a fixed stream, so that the same
 * figure gives the same bytes.
 */
export function createPage(): { draw(figure: Figure): Promise<string> } {
	const { window } = new JSDOM("<!doctype html><html><body></body></html>", {
		runScripts: "outside-only",
		virtualConsole: new VirtualConsole(),
	});
	Object.assign(window.SVGElement.prototype, {
		getBBox(this: Element) {
			return rectangle(this, false);
		},
		getBoundingClientRect(this: Element) {
			return rectangle(this, true);
		},
		getComputedTextLength(this: Element) {
			return rectangle(this, false).width;
		},
	});
	window.HTMLCanvasElement.prototype.getContext = () => null;
	let seed = 1;
	Object.assign(window, {
		matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {}, addListener() {} }),
		requestAnimationFrame: (action: () => void) => window.setTimeout(action, 0),
		cancelAnimationFrame: (id: number) => window.clearTimeout(id),
	});
	window.URL.createObjectURL = () => "blob:none";
	window.Math.random = () => {
		seed = (seed * 48271) % 0x7fffffff;
		return seed / 0x7fffffff;
	};
	window.eval(readFileSync(createRequire(import.meta.url).resolve("plotly.js-dist"), "utf8"));
	const plotly: unknown = window.Plotly;
	if (!isPlotly(plotly)) throw new Error("plotly.js-dist did not give a Plotly");
	const { document } = window;
	return {
		async draw({ data, layout, width, height, alt }) {
			seed = 1;
			const root = document.createElement("div");
			document.body.append(root);
			await plotly.newPlot(root, structuredClone(data), structuredClone(layout), { staticPlot: true });
			const text = await plotly.toImage(root, { format: "svg", imageDataOnly: true, width, height });
			plotly.purge(root);
			root.remove();
			const picture = new window.DOMParser().parseFromString(text, "image/svg+xml");
			slimSvg(picture.documentElement, alt);
			return new window.XMLSerializer().serializeToString(picture);
		},
	};
}

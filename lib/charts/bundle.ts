import { createHash } from "node:crypto";
import { displayMime, type MimeBundle } from "../base/index.js";
import { drawSvg } from "./draw.js";
import type { Figure } from "./figure.js";
import { DARK } from "./theme.js";

/** What the reader sees beside the picture until, and unless, the interactive chart takes its place. */
const PICTURE_ONLY = "A picture. Run this cell in Jupyter, and you can point at its parts with the mouse.";

/**
 * Runs in the reader's browser. Looks for Plotly where the page may have it: already loaded, at an address the page
 * names (`window.batchingLabPlotly`), or under Jupyter's own /files/, from the server's root or from the folder above
 * notebooks/. Only when one has loaded does the chart replace the picture; otherwise the line says why not.
 */
const SWAP = `async(id,data,layout,dark)=>{
const w=window,d=document,box=d.getElementById(id),say=box&&box.querySelector("small");if(!box)return;
const load=u=>new Promise((ok,no)=>{const s=d.createElement("script"),amd=w.define;s.src=u;w.define=undefined;
const end=f=>()=>{w.define=amd;w.Plotly?f===ok?ok():no():no()};s.onload=end(ok);s.onerror=end(no);d.head.append(s)});
if(!w.Plotly)w.batchingLabLoad=w.batchingLabLoad||(async()=>{let base="/";try{base=JSON.parse(d.getElementById("jupyter-config-data").textContent).baseUrl||"/"}catch{}
const at="node_modules/plotly.js-dist/plotly.js",up=/\\/(?:tree|notebooks|edit)\\/(.*?)notebooks\\//.exec(w.location.pathname);
for(const u of new Set([w.batchingLabPlotly,up&&base+"files/"+up[1]+at,/^http/.test(w.location.protocol)&&base+"files/"+at]))if(u)try{await load(u);return}catch{}})();
try{await w.batchingLabLoad}catch{}
if(!w.Plotly){say.textContent="A picture: the interactive chart could not be loaded from "+(w.location.host||"this file")+". It can be in Jupyter, started in the workbook's folder.";return}
const lab=d.body.dataset.jpThemeLight,night=lab?lab==="false":w.matchMedia("(prefers-color-scheme:dark)").matches;
let f=JSON.stringify([data,layout]);if(night)for(const k in dark)f=f.split(k).join(dark[k]);
const chart=d.createElement("div");box.append(chart);const [a,b]=JSON.parse(f);
chart.style.cssText="width:"+b.width+"px;height:"+b.height+"px";
await w.Plotly.newPlot(chart,a,b,{displaylogo:false,responsive:false});box.firstElementChild.remove();say.remove()}`;

function escapeAttribute(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

/** JSON inside a script element: `</script>` and `<!--` must not end it. */
function scriptJson(value: unknown): string {
	return JSON.stringify(value).replace(/</g, "\\u003c");
}

/** An SVG as an image address. Only what would end the address or the attribute is encoded, which is half the size of base64. */
function svgAddress(svg: string): string {
	const untitled = svg.replace(/<title>[^<]*<\/title>/, "");
	return `data:image/svg+xml,${untitled
		.replace(/%/g, "%25")
		.replace(/#/g, "%23")
		.replace(/"/g, "'")
		.replace(/[\n\r\t]+/g, " ")}`;
}

function html(figure: Figure, svg: string): string {
	const id = `chart-${createHash("sha256").update(svg).digest("hex").slice(0, 12)}`;
	const dark = Object.fromEntries(Object.entries(DARK).filter(([light]) => JSON.stringify(figure).includes(light)));
	const image = `<img src="${svgAddress(svg)}" alt="${escapeAttribute(figure.alt)}" width="${figure.width}" height="${figure.height}" style="max-width:100%;height:auto">`;
	const script = `(${SWAP})(${[id, figure.data, figure.layout, dark].map(scriptJson).join(",")})`;
	return `<div id="${id}">${image}<br><small>${PICTURE_ONLY}</small></div>\n<script>${script}</script>`;
}

/**
 * One chart in every form a reader's program may know: HTML (the picture, and a script that swaps in the interactive
 * chart where it can), Plotly's JSON, SVG, and words. At most 40 KB.
 *
 * @throws {CodedError} `CHART_FAILED`
 */
export async function figureBundle(figure: Figure): Promise<MimeBundle> {
	const svg = await drawSvg(figure);
	return {
		"text/html": html(figure, svg),
		"application/vnd.plotly.v1+json": { data: figure.data, layout: figure.layout, config: { displaylogo: false } },
		"image/svg+xml": svg,
		"text/plain": figure.alt,
	};
}

/**
 * Shows a chart below the running cell; outside a notebook its words go to standard output. Never call it while
 * something is timed: drawing takes a core for a second.
 *
 * @example
 * await showChart(latencyByRate({ percent: 99, series }));
 */
export async function showChart(figure: Figure): Promise<void> {
	displayMime(await figureBundle(figure));
}

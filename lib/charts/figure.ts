/** Whatever a Plotly figure may hold. */
export type PlotlyValue =
	| null
	| boolean
	| number
	| string
	| readonly PlotlyValue[]
	| { readonly [key: string]: PlotlyValue | undefined };

/** One trace, shape, annotation, axis or layout, in Plotly's own words. */
export type PlotlyObject = { readonly [key: string]: PlotlyValue | undefined };

/**
 * A chart, ready to be shown: Plotly's `data` and `layout`, what it shows in words, and its size in CSS pixels.
 * Made by the functions of this room from plain numbers; nothing here measures or computes a result.
 */
export interface Figure {
	readonly data: readonly PlotlyObject[];
	readonly layout: PlotlyObject;
	/** For those who cannot see it: what is drawn, on which axes, and the most important values. */
	readonly alt: string;
	readonly width: number;
	readonly height: number;
}

/** Four significant digits: finer than a pixel, and a quarter of the bytes. */
export function short(value: number): number {
	return Number.isFinite(value) ? Number(value.toPrecision(4)) : value;
}

/** Plotly's JSON: no undefined, numbers to four digits, nothing that is not a finite number (a gap is null). */
export function compact(value: PlotlyObject): PlotlyObject {
	const kept: Record<string, PlotlyValue> = {};
	for (const [key, item] of Object.entries(value)) if (item !== undefined) kept[key] = compactValue(item);
	return kept;
}

function isList(value: PlotlyValue): value is readonly PlotlyValue[] {
	return Array.isArray(value);
}

function compactValue(value: PlotlyValue): PlotlyValue {
	if (typeof value === "number") return Number.isFinite(value) ? short(value) : null;
	if (isList(value)) return value.map(compactValue);
	return typeof value === "object" && value !== null ? compact(value) : value;
}

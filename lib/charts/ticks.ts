import type { Tick } from "./layout.js";

/** 0.0123 → "12.3 µs", 3.5 → "3.5 ms", 1200 → "1.2 s": a duration in the unit in which it is easiest read. */
export function durationText(ms: number): string {
	if (ms === 0) return "0";
	const size = Math.abs(ms);
	const [value, unit] = size < 0.9995 ? [ms * 1000, "µs"] : size < 999.5 ? [ms, "ms"] : [ms / 1000, "s"];
	return `${Number(value.toPrecision(3)).toLocaleString("en-US")} ${unit}`;
}

/** Ticks of a log axis from `low` to `high`: powers of ten, and 2 and 5 between them where there is room. */
export function logTicks(low: number, high: number, text: (value: number) => string): Tick[] {
	const decades = Math.log10(high / low);
	const steps = decades < 1.2 ? [1, 2, 3, 5, 7] : decades < 2.6 ? [1, 2, 5] : [1];
	const ticks: Tick[] = [];
	for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
		for (const step of steps) {
			const at = Number((step * 10 ** power).toPrecision(6));
			if (at >= low * 0.999 && at <= high * 1.001) ticks.push({ at, text: text(at) });
		}
	}
	return ticks;
}

/** A range for a log axis that holds all values with some air. */
export function logRange(values: readonly number[], air = 1.25): [number, number] {
	const positive = values.filter((value) => value > 0 && Number.isFinite(value));
	if (positive.length === 0) return [0.1, 10];
	return [Math.min(...positive) / air, Math.max(...positive) * air];
}

/** A range for a linear axis that holds all values, and 0 if asked, with 6 % of air. */
export function linearRange(values: readonly number[], withZero = false): [number, number] {
	const finite = values.filter(Number.isFinite);
	if (withZero) finite.push(0);
	if (finite.length === 0) return [0, 1];
	const low = Math.min(...finite);
	const high = Math.max(...finite);
	const air = (high - low || Math.abs(high) || 1) * 0.06;
	return [withZero && low >= 0 ? 0 : low - air, withZero && high <= 0 ? 0 : high + air];
}

import { CodedError } from "../base/index.js";

/** Numbers by key: `sweep/gbt/b32w0/x0.5/p99Ms`. A key that is not there has no number. */
export type Numbers = ReadonlyMap<string, number>;

/** Percentiles of latency that every run is asked for; too few samples leave the key out. */
export const PERCENTS = [
	["p50Ms", 50],
	["p90Ms", 90],
	["p95Ms", 95],
	["p98Ms", 98],
	["p99Ms", 99],
	["p999Ms", 99.9],
] as const;

/** Collects numbers; what is not a finite number is left out, never written as 0. */
export class NumberTable {
	readonly numbers = new Map<string, number>();

	put(key: string, value: number | null | undefined): void {
		if (value === null || value === undefined || !Number.isFinite(value)) return;
		this.numbers.set(key, value);
	}
}

/** One number that two computations do not agree on. */
export interface Difference {
	readonly key: string;
	readonly first: number | null;
	readonly second: number | null;
}

/** Sums of millions of numbers in another order differ in their last digits; nothing else may differ. */
const ROUNDING = 1e-9;

function agree(first: number, second: number, tolerance: number): boolean {
	return Math.abs(first - second) <= tolerance * Math.max(Math.abs(first), Math.abs(second));
}

/** Keys on which two computations differ, a key that only one of them has included. */
export function differencesOf(first: Numbers, second: Numbers, tolerance = ROUNDING): Difference[] {
	const found: Difference[] = [];
	for (const [key, value] of first) {
		const other = second.get(key);
		if (other === undefined || !agree(value, other, tolerance))
			found.push({ key, first: value, second: other ?? null });
	}
	for (const [key, value] of second) if (!first.has(key)) found.push({ key, first: null, second: value });
	return found;
}

/** @throws {CodedError} `REPORT_DIFFERS`, exit code 1, naming the first few keys with both values. */
export function refuseDifferences(differences: readonly Difference[], path: string): void {
	if (differences.length === 0) return;
	const say = (value: number | null) => (value === null ? "nothing" : String(value));
	const some = differences.slice(0, 5).map(({ key, first, second }) => `${key}: ${say(first)} against ${say(second)}`);
	const more = differences.length > 5 ? `; and ${differences.length - 5} more` : "";
	throw new CodedError(
		"REPORT_DIFFERS",
		`two computations of ${differences.length} number(s) of ${path} do not agree: ${some.join("; ")}${more}`,
		{
			exitCode: 1,
			hint: "the record was changed after it was written, or one of the two computations is wrong; nothing is reported",
		},
	);
}

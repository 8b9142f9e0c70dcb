import { requireCount, requireNumber, StatsError } from "./errors.js";
import { median } from "./percentile.js";
import { type Interval, roundsInterval } from "./rounds.js";

/** One measured batch size: what a call of `size` rows took, µs. Give `round` where there were several. */
export interface CallPoint {
	readonly size: number;
	readonly us: number;
	readonly round?: number;
}

/** What a call costs whatever its size, and what each row adds: us ≈ fixedUs + marginalUs × size. */
export interface CallFit {
	readonly fixedUs: number;
	readonly marginalUs: number;
	/** Smallest to largest of the rounds' own fits; null with a single round, whose spread nobody knows. */
	readonly intervals: { readonly fixedUs: Interval; readonly marginalUs: Interval } | null;
	/** One a size, ascending. A run of one sign says that the straight line is not the whole truth. */
	readonly residuals: readonly FitResidual[];
}

export interface FitResidual {
	readonly size: number;
	/** Median over the rounds, as measured. */
	readonly us: number;
	readonly fittedUs: number;
	/** (us − fittedUs) / us */
	readonly share: number;
}

function checkPoints(points: readonly CallPoint[]): void {
	for (const { size, us } of points) {
		requireCount("size", size);
		if (!(us > 0 && Number.isFinite(us)))
			throw new StatsError("BAD_NUMBER", `the time of a call must be above 0 µs, got ${us}`);
	}
}

/** Per-call times by size, ascending: the median over all points of that size. */
export function medianBySize(points: readonly CallPoint[]): { readonly size: number; readonly us: number }[] {
	checkPoints(points);
	const bySize = new Map<number, number[]>();
	for (const { size, us } of points) bySize.set(size, [...(bySize.get(size) ?? []), us]);
	return [...bySize].map(([size, times]) => ({ size, us: median(times) })).sort((a, b) => a.size - b.size);
}

/** Weighted least squares of us = a + b·size with weights 1/us², which makes every size's *relative* error count alike. */
function weightedLine(points: readonly { readonly size: number; readonly us: number }[]): [number, number] {
	let w = 0;
	let wx = 0;
	let wy = 0;
	for (const { size, us } of points) {
		const weight = 1 / us ** 2;
		w += weight;
		wx += weight * size;
		wy += weight * us;
	}
	const meanX = wx / w;
	const meanY = wy / w;
	let sxx = 0;
	let sxy = 0;
	for (const { size, us } of points) {
		const weight = 1 / us ** 2;
		sxx += weight * (size - meanX) ** 2;
		sxy += weight * (size - meanX) * (us - meanY);
	}
	const slope = sxy / sxx;
	return [meanY - slope * meanX, slope];
}

/**
 * Fits a + b·size to the times of calls. Errors are weighted relative to the time itself: 2,000 µs at 1,024 rows and
 * 10 µs at one row carry the same relative noise, and an unweighted fit would not see the one-row end at all, which is
 * where the fixed cost shows. Each round is fitted alone; the estimate is the median over rounds and the interval
 * their range, because the rounds are fresh processes and hence the only independent repetitions there are.
 *
 * The interval is about the line's own scatter, not about how well a line fits: that is what the residuals are for. On
 * simulated calls that do follow a line, five rounds with 3 % of noise a point hold the true fixed and per-row cost in
 * 93 % of experiments, as promised. Weights from measured times favour points that came out small: the line lies low by
 * about the square of the noise, 0.15 % at 3 %, and 1.5 % at 10 %, where the interval of b holds it in 87 % only.
 *
 * @throws {StatsError} `TOO_FEW_SIZES` when a round has fewer than two different sizes; `BAD_NUMBER`.
 */
export function fitPerCall(points: readonly CallPoint[]): CallFit {
	const sizes = medianBySize(points);
	const byRound = new Map<number, CallPoint[]>();
	for (const point of points) byRound.set(point.round ?? 0, [...(byRound.get(point.round ?? 0) ?? []), point]);
	const fits = [...byRound].map(([round, own]) => {
		const line = medianBySize(own);
		if (line.length < 2) {
			throw new StatsError(
				"TOO_FEW_SIZES",
				`round ${round} has ${line.length} size(s); a fixed and a per-row cost need at least 2`,
			);
		}
		return weightedLine(line);
	});
	if (fits.length === 0)
		throw new StatsError("TOO_FEW_SIZES", "no points; a fixed and a per-row cost need at least 2 sizes");
	const fixed = fits.map(([a]) => a);
	const marginal = fits.map(([, b]) => b);
	const fixedUs = median(fixed);
	const marginalUs = median(marginal);
	return {
		fixedUs,
		marginalUs,
		intervals: fits.length < 2 ? null : { fixedUs: roundsInterval(fixed), marginalUs: roundsInterval(marginal) },
		residuals: sizes.map(({ size, us }) => {
			const fittedUs = fixedUs + marginalUs * size;
			return { size, us, fittedUs, share: (us - fittedUs) / us };
		}),
	};
}

/**
 * The first size whose doubling saves less than `saving` (10 %) per row: where the plateau of cost per row starts and
 * a larger cap stops paying. Sizes that were not measured doubled are passed over; several points of a size count as
 * their median. The rule is the lesson's, fixed before any run. It takes the first such size and does not look further:
 * where cost falls in steps a later doubling may save more again, and noise of a few percent moves the answer by one size.
 *
 * @returns null for "never up to the largest size measured".
 */
export function plateauSize(points: readonly CallPoint[], saving = 0.1): number | null {
	requireNumber("saving", saving, 0);
	const perRow = new Map(medianBySize(points).map(({ size, us }) => [size, us / size]));
	for (const [size, cost] of perRow) {
		const doubled = perRow.get(size * 2);
		// In this form 20 → 18 saves 10 % exactly; 1 - 18 / 20 comes out below 0.1.
		if (doubled !== undefined && doubled > (1 - saving) * cost) return size;
	}
	return null;
}

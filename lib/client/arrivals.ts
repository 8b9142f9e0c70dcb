import { CodedError, seededRandom } from "../base/index.js";

export interface ArrivalsOptions {
	readonly ratePerSecond: number;
	readonly seconds: number;
	readonly seed: number;
}

function checked({ ratePerSecond, seconds }: ArrivalsOptions): void {
	if (!(ratePerSecond > 0 && Number.isFinite(ratePerSecond))) {
		throw new CodedError("BAD_RATE", `a rate is a number of requests a second above 0, got ${ratePerSecond}`);
	}
	if (!(seconds > 0 && Number.isFinite(seconds))) {
		throw new CodedError("BAD_SECONDS", `a schedule lasts more than 0 seconds, got ${seconds}`);
	}
}

/**
 * Poisson arrivals: independent exponential gaps with mean 1 / rate. ns since the start, ascending; all lie before the
 * end. Equal options give equal arrivals.
 *
 * @throws {CodedError} `BAD_RATE`, `BAD_SECONDS`
 */
export function poissonArrivals(options: ArrivalsOptions): Float64Array {
	checked(options);
	const { ratePerSecond, seconds, seed } = options;
	const random = seededRandom(seed);
	const meanGapNs = 1e9 / ratePerSecond;
	const endNs = seconds * 1e9;
	// 1 − u lies in (0, 1], so the logarithm is finite.
	const gapNs = () => -Math.log(1 - random()) * meanGapNs;
	const arrivals: number[] = [];
	for (let at = gapNs(); at < endNs; at += gapNs()) arrivals.push(at);
	return Float64Array.from(arrivals);
}

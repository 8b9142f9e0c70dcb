import { randomExponential } from "d3-random";
import { CodedError, seededRandom } from "../base/index.js";

/** `poisson`: independent people. `constant`: a metronome. `bursty`: Poisson that is switched on and off. */
export const ARRIVAL_SHAPES = ["poisson", "constant", "bursty"] as const;
export type ArrivalShape = (typeof ARRIVAL_SHAPES)[number];

export interface ArrivalsOptions {
	/** Mean requests a second, the same for every shape. */
	readonly ratePerSecond: number;
	readonly seconds: number;
	/** Equal options and an equal seed give equal arrivals, to the bit. */
	readonly seed: number;
}

export interface BurstOptions {
	/** From the start of one burst to the start of the next, ms. @default 200 */
	readonly periodMs?: number;
	/** Share of the period in which requests arrive, at rate / share; the rest is silent. @default 0.25 */
	readonly onShare?: number;
}

/** A run of this many requests takes about 2 GB in the client; nobody needs one by accident. */
const MOST_ARRIVALS = 20_000_000;

function checked({ ratePerSecond, seconds }: ArrivalsOptions): void {
	if (!(ratePerSecond > 0 && Number.isFinite(ratePerSecond))) {
		throw new CodedError("BAD_RATE", `a rate is a number of requests a second above 0, got ${ratePerSecond}`);
	}
	if (!(seconds > 0 && Number.isFinite(seconds))) {
		throw new CodedError("BAD_SECONDS", `a schedule lasts more than 0 seconds, got ${seconds}`);
	}
	if (ratePerSecond * seconds > MOST_ARRIVALS) {
		throw new CodedError(
			"TOO_MANY_ARRIVALS",
			`${ratePerSecond} requests a second for ${seconds} s are ${ratePerSecond * seconds}; a run takes at most ${MOST_ARRIVALS}`,
			{ hint: "make the run shorter" },
		);
	}
}

/**
 * Poisson arrivals: independent exponential gaps with mean 1 / rate. ns since the start, ascending; all lie before the
 * end, so how many there are is drawn too.
 *
 * @throws {CodedError} `BAD_RATE`, `BAD_SECONDS`, `TOO_MANY_ARRIVALS`
 */
export function poissonArrivals(options: ArrivalsOptions): Float64Array {
	checked(options);
	const gapNs = randomExponential.source(seededRandom(options.seed))(options.ratePerSecond / 1e9);
	const endNs = options.seconds * 1e9;
	const arrivals: number[] = [];
	for (let at = gapNs(); at < endNs; at += gapNs()) arrivals.push(at);
	return Float64Array.from(arrivals);
}

/**
 * One request every 1 / rate. Only the phase is drawn, so that two runs are not in step with each other's timers.
 *
 * @throws {CodedError} `BAD_RATE`, `BAD_SECONDS`, `TOO_MANY_ARRIVALS`
 */
export function constantArrivals(options: ArrivalsOptions): Float64Array {
	checked(options);
	const gapNs = 1e9 / options.ratePerSecond;
	const firstNs = seededRandom(options.seed)() * gapNs;
	const count = Math.max(0, Math.ceil((options.seconds * 1e9 - firstNs) / gapNs));
	return Float64Array.from({ length: count }, (_, i) => firstNs + i * gapNs);
}

/**
 * On–off arrivals (an interrupted Poisson process with fixed windows): Poisson at rate / onShare within a window, then
 * silence. Windows are fixed, not drawn, so a run of a few periods has the mean it was asked for; the phase is drawn.
 *
 * @throws {CodedError} `BAD_RATE`, `BAD_SECONDS`, `TOO_MANY_ARRIVALS`, `BAD_BURST`
 */
export function burstyArrivals(options: ArrivalsOptions, burst: BurstOptions = {}): Float64Array {
	checked(options);
	const { periodMs = 200, onShare = 0.25 } = burst;
	if (!(periodMs > 0 && Number.isFinite(periodMs))) {
		throw new CodedError("BAD_BURST", `the period of bursts is a number of ms above 0, got ${periodMs}`);
	}
	if (!(onShare > 0 && onShare <= 1)) {
		throw new CodedError("BAD_BURST", `the share of a period in which requests arrive lies in (0, 1], got ${onShare}`);
	}
	const random = seededRandom(options.seed);
	const periodNs = periodMs * 1e6;
	const onNs = periodNs * onShare;
	const phaseNs = random() * periodNs;
	const gapNs = randomExponential.source(random)(options.ratePerSecond / onShare / 1e9);
	const endNs = options.seconds * 1e9;
	const arrivals: number[] = [];
	// `onClock` runs only while requests may arrive; windows are laid out on the real clock afterwards.
	for (let onClock = gapNs(); ; onClock += gapNs()) {
		const window = Math.floor(onClock / onNs);
		const at = window * periodNs + (onClock - window * onNs) - phaseNs;
		if (at >= endNs) return Float64Array.from(arrivals);
		if (at >= 0) arrivals.push(at);
	}
}

/** The arrivals of a shape; see {@link poissonArrivals}, {@link constantArrivals}, {@link burstyArrivals}. */
export function drawArrivals(shape: ArrivalShape, options: ArrivalsOptions): Float64Array {
	if (shape === "poisson") return poissonArrivals(options);
	return shape === "constant" ? constantArrivals(options) : burstyArrivals(options);
}

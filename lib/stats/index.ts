export { type BootstrapInterval, type BootstrapOptions, percentileInterval } from "./bootstrap.js";
export { rateInterval } from "./bootstrap-rate.js";
export { type AgainstItself, againstItself, binomialAtLeast } from "./chance.js";
export { arrivalsBefore, type ClumpOptions, type Clumps, clumps } from "./clumps.js";
export { blockLength, correlationTime } from "./correlation.js";
export { type CallFit, type CallPoint, type FitResidual, fitPerCall, medianBySize, plateauSize } from "./cost.js";
export { normalCdf, studentCdf, studentQuantile } from "./distributions.js";
export { type EcdfPoint, ecdf } from "./ecdf.js";
export { StatsError } from "./errors.js";
export {
	BIN_RATIO,
	binValue,
	type Histogram,
	histogramOf,
	histogramPercentile,
	mergeHistograms,
} from "./histogram.js";
export { type SlowMoments, type SpeedOverRun, slowMoments, speedOverRun } from "./moments.js";
export { type Comparison, comparePaired, ROUNDS_FOR_A_VERDICT, smallestP, toldApart, type Verdict } from "./paired.js";
export { median, minimumSamples, nearestRank, percentile, type SortedSamples, sortSamples } from "./percentile.js";
export {
	type PowerOptions,
	powerOfAllAgree,
	roundsNeeded,
	signsNeeded,
	smallestFindable,
	spread,
} from "./power.js";
export { countUpTo, inSystemAt, littlesLaw, utilisation } from "./queueing.js";
export { type Interval, rangeCoverage, roundsInterval } from "./rounds.js";
export {
	KEEPS_UP_SHARE,
	keepsUp,
	kendallTau,
	overRounds,
	type QueueTrend,
	queueBySlice,
	queueTrend,
	type Rates,
	rates,
	type Traffic,
} from "./throughput.js";

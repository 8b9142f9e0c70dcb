export { type CallFit, type CallPoint, type FitResidual, fitPerCall, medianBySize, plateauSize } from "./cost.js";
export { StatsError } from "./errors.js";
export { median, minimumSamples, nearestRank, percentile, type SortedSamples, sortSamples } from "./percentile.js";
export { type Interval, rangeCoverage, roundsInterval } from "./rounds.js";

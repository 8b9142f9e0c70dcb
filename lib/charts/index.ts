/** Figures from plain numbers, and the one function that shows them. Imports base, stats and record only. */
export {
	type BatchSizeRow,
	batchSizes,
	coreTime,
	type FlushReasonRow,
	flushReasons,
	type StackRow,
} from "./bars.js";
export { type BitSeries, bitShares } from "./bits.js";
export { figureBundle, showChart } from "./bundle.js";
export { type CostSeries, perRowCurve } from "./cost.js";
export { type EcdfSeries, latencyDistribution } from "./distribution.js";
export { drawSvg, stopDrawing } from "./draw.js";
export type { Figure, PlotlyObject, PlotlyValue } from "./figure.js";
export { type HeatCell, type HeatMapOptions, heatMap } from "./heatmap.js";
export { type Journey, type JourneysOptions, journeyTimeline } from "./journeys.js";
export { spread as spreadLabels } from "./labels.js";
export { type PairedDotsOptions, type PairedRow, pairedDots } from "./paired.js";
export {
	type BatchRow,
	type BatchTimelineOptions,
	batchTimeline,
	coinFlips,
	type HookEvent,
	type HookRow,
	hookPictures,
} from "./pictures.js";
export { type LatencyByRateOptions, latencyByRate, type RatePoint, type RateSeries } from "./rates.js";
export { type SaturationRow, saturationBars } from "./saturation.js";
export { movePath } from "./slim.js";
export { contrast, DARK, type Look, lookOf, PALETTE, PAPER } from "./theme.js";
export { durationText } from "./ticks.js";
export {
	type CanaryPoint,
	canaryOverTime,
	closedAgainstOpen,
	type LoopsOptions,
	type QueueSeries,
	queueOverTime,
	type TimedRequest,
} from "./time.js";
export { type PriceOfWaitOptions, priceOfWait, type WaitPrice } from "./wait.js";

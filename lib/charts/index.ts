/** Figures from plain numbers, and the one function that shows them. Imports base, stats and record only. */

export { type BatchSizeRow, batchSizes, type FlushReasonRow, flushReasons } from "./batches.js";
export { type BitSeries, bitShares } from "./bits.js";
export { figureBundle, showChart } from "./bundle.js";
export { type CanaryPoint, canaryOverTime } from "./canary.js";
export { coinFlips } from "./coins.js";
export { coreTime, type StackRow } from "./core-time.js";
export { type CostSeries, perRowCurve } from "./cost.js";
export { type EcdfSeries, latencyDistribution } from "./distribution.js";
export { drawSvg, stopDrawing } from "./draw.js";
export type { Figure, PlotlyObject, PlotlyValue } from "./figure.js";
export { type HeatCell, type HeatMapOptions, heatMap } from "./heatmap.js";
export { type HookEvent, type HookRow, hookPictures } from "./hooks.js";
export { type Journey, type JourneysOptions, journeyTimeline } from "./journeys.js";
export { spread as spreadLabels } from "./labels.js";
export { closedAgainstOpen, type LoopsOptions, type TimedRequest } from "./loops.js";
export { type PairedDotsOptions, type PairedRow, pairedDots } from "./paired.js";
export { type QueueSeries, queueOverTime } from "./queue.js";
export { type LatencyByRateOptions, latencyByRate, type RatePoint, type RateSeries } from "./rates.js";
export { type SaturationRow, saturationBars } from "./saturation.js";
export { movePath } from "./slim.js";
export { contrast, DARK, type Look, lookOf, PALETTE, PAPER } from "./theme.js";
export { durationText } from "./ticks.js";
export { type BatchRow, type BatchTimelineOptions, batchTimeline } from "./timeline.js";
export { type PriceOfWaitOptions, priceOfWait, type WaitPrice } from "./wait.js";

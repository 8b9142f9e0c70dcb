export type { Freeze } from "./core.js";
export { type QueueHistory, SIM_OUTCOMES, type SimOutcome } from "./history.js";
export { affineModel, type ModelTime, measuredModel, type ServerCosts } from "./server.js";
export { type SimulatedBatcher, type SimulateOptions, simulateQueue } from "./simulate.js";
export { type QueueSummary, summariseQueue } from "./summary.js";
export {
	type SimulatedPoint,
	type SimulatedSetting,
	type SimulatedSweep,
	type SimulatedSweepOptions,
	simulateSweep,
} from "./sweep.js";
export { type Trace, type TracedBatch, type TraceEvent, type TraceOptions, traceBatcher } from "./trace.js";
export type { ClosedTraffic, OpenTraffic } from "./traffic.js";

export {
	ARRIVAL_SHAPES,
	type ArrivalShape,
	type ArrivalsOptions,
	type BurstOptions,
	burstyArrivals,
	constantArrivals,
	drawArrivals,
	poissonArrivals,
} from "./arrivals.js";
export { type ClosedRunSummary, summariseClosedRun } from "./closed-summary.js";
export { type Differing, type DifferingScore, differingScores } from "./differing.js";
export { type JudgedOpenRun, type Judgement, type JudgeRules, judgeOpenRun } from "./judge.js";
export { allowedTogether, hadToWait, shareTogether } from "./lateness.js";
export { bodiesFrom, type LoadOptions, type LoadPhase, type LoadReport, readBodyLines, runLoad } from "./load.js";
export type { LoopResult } from "./loop.js";
export type { Percentiles } from "./percentiles.js";
export { type ClientDone, type ClientProcess, type StartClientOptions, startClient } from "./process.js";
export * from "./protocol.js";
export { prepareClient, type ReadyClient } from "./run.js";
export { countOutcomes, type OpenRun, type OpenRunSummary, type OutcomeCounts, summariseOpenRun } from "./summary.js";

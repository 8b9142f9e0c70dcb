export { MicroBatcher } from "./batcher.js";
export type { Alarm, Clock, PollingCost } from "./clock.js";
export { type ContractTerms, longestWaitMs } from "./contract.js";
export { BATCHER_ERROR_CODES, BatcherError, type BatcherErrorCode, isBatcherError } from "./errors.js";
export type { BatcherOptions } from "./options.js";
export {
	type Decision,
	decide,
	FLUSH_REASONS,
	type FlushReason,
	type PolicyOptions,
	type QueueView,
} from "./policy.js";
export type { Answer, BatcherStats, BatchReport } from "./report.js";
export type { CallContext, ScoreFunction, Scores } from "./scores.js";
export type { SubmitOptions } from "./submit-options.js";
export { createSystemClock } from "./system-clock.js";
export { VirtualClock } from "./virtual-clock.js";

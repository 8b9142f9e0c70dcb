export {
	ALONE_SIZES,
	type AloneRound,
	callPoints,
	type ModelAlone,
	type ModelAloneOptions,
	measureModelAlone,
} from "./measure.js";
export { defaultPin } from "./pin.js";
export { type AloneProcess, startAlone } from "./process.js";
export type { AloneConfig, AloneSize } from "./protocol.js";
export { type CallLimits, timeCalls } from "./time-calls.js";
export { type BatchingVerdict, type CallCost, judgeBatching } from "./verdict.js";

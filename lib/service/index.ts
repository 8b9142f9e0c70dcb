export type { App } from "./app.js";
export { callsAtOnce } from "./calls-at-once.js";
export { ERROR_TABLE, type ErrorCode, type ErrorEntry, ServiceError } from "./errors.js";
export { hostService, type ServiceParts } from "./host.js";
export { BatchLog, StampLog } from "./logs.js";
export type { ServiceOptions } from "./options.js";
export { openParts } from "./parts.js";
export { type Counted, type ServiceProcess, type StartServiceOptions, startService } from "./process.js";
export type * from "./protocol.js";
export type { Health } from "./routes.js";
export type { FeatureSource } from "./row.js";
export {
	LIST_REPLY,
	MAX_LIST,
	PREDICT_BODY,
	PREDICT_REPLY,
	type PredictBody,
	type PredictMany,
	type PredictOne,
} from "./schema.js";
export { createService, type ListenOptions, type Service } from "./service.js";
export { parseSetting, type Setting } from "./setting.js";

export { type DisplayOptions, displayMime, inNotebook, type MimeBundle } from "./display.js";
export { CodedError, type CodedErrorOptions, hasCode } from "./errors.js";
export { MAX_START_LIMIT_S, MORE_PATIENCE, START_LIMIT_VARIABLE, startLimitMs } from "./patience.js";
export { findProject, type Project } from "./project.js";
export { deriveSeed, type Random, seededRandom, shuffled } from "./random.js";
export { ulpDistance } from "./ulp.js";

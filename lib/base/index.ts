export { type DisplayOptions, displayMime, inNotebook, type MimeBundle } from "./display.js";
export { CodedError, type CodedErrorOptions, hasCode } from "./errors.js";
export { findProject, type Project } from "./project.js";
export { deriveSeed, type Random, seededRandom, shuffled } from "./random.js";

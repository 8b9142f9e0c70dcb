export { type Computed, type ComputeOptions, computeNumbers } from "./compute.js";
export type { Numbers } from "./numbers.js";
export { openSource, sourceOf } from "./open.js";
export { type Fact, fact, prose, rounded } from "./prose.js";
export type { RecordFacts, ReportSource } from "./source.js";
export { SUMMARISED_FILE, writeSummarised } from "./summarised.js";

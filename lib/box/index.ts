/** The machine that measures: rented or one's own, step by step, and the results home before anything is deleted. */

export type { StepParts } from "./make-box.js";
export type { BoxOptions } from "./options.js";
export type { Remote, RemoteScript, RunOptions } from "./remote/remote.js";
export type { SshOptions } from "./remote/ssh.js";
export { runStep, type StepResult } from "./run-step.js";
export { defaultStatePath } from "./state/file.js";
export type { BoxState, Login, Provider } from "./state/schema.js";
export { STEP_NAMES, type StepName } from "./state/situation.js";
export { STEPS } from "./steps/table.js";

export { interruptSignal } from "./cells/interrupt.js";
export { md } from "./cells/markdown.js";
export { clock, type LiveProgress, liveProgress, type ProgressFacts, type TaskProgress } from "./cells/progress.js";
export type { CellTimes, CopyMetadata } from "./copy.js";
export type { Parameter, ParameterType } from "./declarations.js";
export type { CopyEnvironment } from "./environment.js";
export { executeNotebook } from "./execute.js";
export type * from "./format.js";
export type * from "./hooks.js";
export { checkClean, cleanNotebook } from "./hygiene.js";
export type { UnseenError } from "./inside/unseen.js";
export { type ExecuteReply, Kernel, type KernelEvents, type KernelOptions } from "./kernel.js";
export { installKernelspecs, type KernelspecChange, type KernelspecPlace, uninstallKernelspecs } from "./kernelspec.js";
export type { ExecuteOptions, NotebookResult } from "./options.js";
export {
	declaredParameters,
	describeParameter,
	injectParameters,
	type ParameterTexts,
	type ParameterValue,
} from "./parameters.js";
export { KERNEL_PROGRAM, type KernelExit } from "./process.js";
export { parseNotebook, readNotebook } from "./read.js";
export { renderPage } from "./render.js";
export {
	checkNotebooks,
	earlierParameters,
	type RunOptions,
	type RunPlan,
	type RunResult,
	runNotebooks,
} from "./run.js";
export { TimeLeft } from "./timing.js";
export { decodeMessage, encodeMessage, type Message, type MessageHeader } from "./wire.js";
export { formatNotebook } from "./write.js";

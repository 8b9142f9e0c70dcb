import type { Command } from "commander";
import { registerBitCheck } from "./bit-check.js";
import { registerBox } from "./box.js";
import { registerData } from "./data.js";
import { registerDemo } from "./demo.js";
import { registerFactcheck } from "./factcheck.js";
import { registerKernel } from "./kernel.js";
import { registerLoad } from "./load.js";
import { registerLookup } from "./lookup.js";
import { registerModelAlone } from "./model-alone.js";
import { registerNotebook } from "./notebook.js";
import { registerReport } from "./report.js";
import { registerRun } from "./run.js";
import { registerSaturation } from "./saturation.js";
import { registerServe } from "./serve.js";
import { registerSimulate } from "./simulate.js";
import { registerSweep } from "./sweep.js";

/** One file a command; the order is that of `workbook --help`. */
export const registrations: readonly ((program: Command) => void)[] = [
	registerRun,
	registerDemo,
	registerModelAlone,
	registerBitCheck,
	registerSaturation,
	registerServe,
	registerLoad,
	registerSweep,
	registerReport,
	registerFactcheck,
	registerLookup,
	registerSimulate,
	registerData,
	registerKernel,
	registerNotebook,
	registerBox,
];

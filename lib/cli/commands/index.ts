import type { Command } from "commander";
import { registerData } from "./data.js";
import { registerKernel } from "./kernel.js";
import { registerNotebook } from "./notebook.js";

/** One file a command; the order is that of `workbook --help`. */
export const registrations: readonly ((program: Command) => void)[] = [registerData, registerKernel, registerNotebook];

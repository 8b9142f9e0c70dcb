import type { Command } from "commander";
import { registerData } from "./data.js";

/** One file a command; the order is that of `workbook --help`. */
export const registrations: readonly ((program: Command) => void)[] = [registerData];

import type { Command } from "commander";

/** One file a command; the order is that of `workbook --help`. */
export const registrations: readonly ((program: Command) => void)[] = [];

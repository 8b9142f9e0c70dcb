import { CodedError } from "./errors.js";

/** Names the limit in seconds; a runner hands it on to its kernels, and a person sets it before Jupyter. */
export const START_LIMIT_VARIABLE = "WORKBOOK_START_LIMIT";
/** What to tell whoever met that limit. */
export const MORE_PATIENCE = `on a slow machine allow more: --start-limit, or ${START_LIMIT_VARIABLE} in the environment, in seconds`;
const DEFAULT_MS = 60_000;
/** A day: Node's timers end at 24.8. */
export const MAX_START_LIMIT_S = 86_400;

/**
 * How long a process of ours may take to start, and a chart to be drawn, in milliseconds: a kernel starts in three
 * seconds on a laptop, in twenty on a small board, and in minutes on an emulated machine.
 *
 * @throws {CodedError} `BAD_ENVIRONMENT` when the variable holds anything but seconds, above 0 and at most a day.
 */
export function startLimitMs(environment: Readonly<Record<string, string | undefined>> = process.env): number {
	const text = environment[START_LIMIT_VARIABLE];
	if (text === undefined || text.trim() === "") return DEFAULT_MS;
	const seconds = Number(text);
	if (seconds > 0 && seconds <= MAX_START_LIMIT_S) return seconds * 1_000;
	throw new CodedError(
		"BAD_ENVIRONMENT",
		`${START_LIMIT_VARIABLE} takes seconds, above 0 and at most ${MAX_START_LIMIT_S}, got "${text}"`,
	);
}

import { isNativeError } from "node:util/types";

/** True for an Error of any realm: in a test runner's sandbox, what Node throws is no instance of the sandbox's own Error. */
export function isError(value: unknown): value is Error {
	return value instanceof Error || isNativeError(value);
}

/**
 * Any value as text. Whatever a score function or an observer throws ends up in a message, and not every value can be
 * written out: an object without a prototype cannot, nor one whose `toString` throws. That must not stop the loop.
 */
export function textOf(value: unknown): string {
	try {
		return String(value);
	} catch {
		return `a value of type ${typeof value} that cannot be shown`;
	}
}

/** What went wrong, in words: an error's message, or the value itself. */
export function messageOf(cause: unknown): string {
	try {
		return textOf(isError(cause) ? cause.message : cause);
	} catch {
		return "an error that cannot be shown";
	}
}

/** A value that was not expected, with its type. */
export function shown(value: unknown): string {
	return typeof value === "string" ? `"${value}" (string)` : `${textOf(value)} (${typeof value})`;
}

/** What every module of the workbook throws when the fault is the caller's or the machine's, not the code's. */
export interface CodedErrorOptions extends ErrorOptions {
	/** What to do about it, one sentence. */
	readonly hint?: string;
	/** Process exit code of the `workbook` command: 2 = wrong usage (default), 1 = a measurement or a check failed, 130 = interrupted. */
	readonly exitCode?: 1 | 2 | 130;
}

/**
 * An error that a person can act on: a stable code, a message naming the value and what was expected, a hint.
 *
 * @example
 * throw new CodedError("UNKNOWN_SETTING", `unknown setting "b32"; expected none, bXwY, nomodel or nomodel-deferred`);
 */
export class CodedError extends Error {
	override readonly name: string = "CodedError";
	readonly code: string;
	readonly hint: string | undefined;
	readonly exitCode: 1 | 2 | 130;

	constructor(code: string, message: string, options: CodedErrorOptions = {}) {
		super(message, options);
		this.code = code;
		this.hint = options.hint;
		this.exitCode = options.exitCode ?? 2;
	}
}

/** True for any error that carries a string code, ours or Node's own (`ENOENT`). */
export function hasCode(error: unknown): error is Error & { readonly code: string } {
	return error instanceof Error && "code" in error && typeof error.code === "string";
}

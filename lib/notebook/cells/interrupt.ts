import { CodedError, inNotebook } from "../../base/index.js";

let current: AbortController | undefined;

/**
 * A signal that aborts when the running cell is interrupted: the stop button in Jupyter, Ctrl-C or a time limit in the
 * runner. The kernel only stops waiting for the cell; what the cell has started goes on unless it listens to this.
 * Outside a notebook it never aborts.
 *
 * @example
 * const result = await longTask({ signal: interruptSignal() });
 */
export function interruptSignal(): AbortSignal {
	if (current === undefined && inNotebook()) {
		process.on("SIGINT", () => {
			const interrupted = current;
			current = new AbortController();
			interrupted?.abort(new CodedError("INTERRUPTED", "interrupted", { exitCode: 130 }));
		});
	}
	current ??= new AbortController();
	return current.signal;
}

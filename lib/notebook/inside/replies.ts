import { describeError, joinErrors } from "./cell-error.js";
import { here, latestCell, requests } from "./contexts.js";
import type { ExecuteResult, TslabInternals } from "./tslab.js";

/**
 * Failed cells say so as the protocol wants it: an `error` message, the error in the reply, `aborted` for a cell that
 * did not run. tslab prints a text and says no more, so papermill takes a failed notebook for a good one. And a cell
 * that may fail (`stop_on_error` false) no longer takes those behind it along.
 */
export function replyWithErrors({ handler }: TslabInternals): void {
	const handleExecute = handler.handleExecute;
	handler.handleExecute = async function (content, stream, display) {
		const result =
			content.stop_on_error === false
				? await alone(() => this.execQueue.add(() => alone(() => this.handleExecuteImpl(content, stream, display))))
				: await handleExecute.call(this, content, stream, display);
		if (result.status === "ok") return result;
		const cell = latestCell();
		const error = cell?.request.id === requests.getStore()?.id ? cell?.error : undefined;
		return result.status === "error" ? { ...result, ...error } : { ...result, status: "aborted" };
	};
}

/** Turns the ways in which tslab's queue settles into a result. */
async function alone(run: () => Promise<ExecuteResult | { readonly count: number }>): Promise<ExecuteResult> {
	try {
		const done = await run();
		return "status" in done ? done : { status: "ok", execution_count: done.count };
	} catch (thrown) {
		const failed = typeof thrown === "object" && thrown !== null && "count" in thrown ? thrown.count : undefined;
		return typeof failed === "number" ? { status: "error", execution_count: failed } : { status: "aborted" };
	}
}

/** Starts the kernel with a console that keeps what tslab would print of an error. The cells' own console is another. */
export function startRecordingErrors(
	{ startKernel }: TslabInternals,
	options: Parameters<TslabInternals["startKernel"]>[0],
): void {
	const original = console.error;
	console.error = (...given: unknown[]) => {
		const cell = here();
		if (cell === undefined) original(...given);
		else cell.error = joinErrors(cell.error, describeError(given));
	};
	startKernel(options);
	console.error = original;
}

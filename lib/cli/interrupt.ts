/**
 * Runs a task that Ctrl-C (or SIGTERM) may stop: the first signal aborts it, so that it can leave everything as it
 * was and reject; a second one ends the process at once, as it would without this.
 */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	const abort = () => controller.abort();
	process.once("SIGINT", abort).once("SIGTERM", abort);
	try {
		return await task(controller.signal);
	} finally {
		process.off("SIGINT", abort).off("SIGTERM", abort);
	}
}

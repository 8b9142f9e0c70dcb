import type { Progress, ProgressEvent } from "./io.js";

/**
 * What the laboratory says, on a terminal and elsewhere: lines of finished runs stay; what is only about this moment
 * moves the bar, and where there is no bar it is said when somebody has to wait.
 */
export function labProgress(
	progress: Progress,
	isTerminal: boolean = process.stderr.isTTY === true,
): (event: ProgressEvent & { readonly stays?: boolean }) => void {
	let waiting = false;
	return (event) => {
		if (event.stays) progress.line(event.text);
		if (isTerminal) return progress.update(event);
		const waits = event.text.startsWith("waiting");
		if (!event.stays && !event.text.startsWith("RUN ") && !(waits && waiting)) progress.update(event);
		waiting = waits;
	};
}

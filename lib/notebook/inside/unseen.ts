import { describeError } from "./cell-error.js";
import { here, latestCell } from "./contexts.js";

/** What a cell threw where nobody was waiting for it: from a timer, an event, or a promise without a handler. */
export interface UnseenError {
	/** The request that ran the cell it came from. */
	readonly requestId: string;
	readonly kind: "uncaught exception" | "unhandled rejection";
	readonly name: string;
	readonly message: string;
}

/**
 * A cell whose error nobody saw fails; tslab calls it good. `report` tells a runner, and says whether there is one: a
 * runner fails the right cell also when that one is long done, elsewhere the running cell must not pass.
 */
export function noticeUnseenErrors(report: (error: UnseenError) => boolean): void {
	const notice = (kind: UnseenError["kind"]) => (reason: unknown) => {
		const cell = here();
		if (cell === undefined) return;
		const { ename: name, evalue: message } = describeError([reason]);
		const told = report({ requestId: cell.request.id, kind, name, message });
		const text = `${name}: ${message} (${kind})`;
		cell.unseen = { ename: name, evalue: message, traceback: [text] };
		const running = latestCell();
		if (!told && !cell.running && running !== undefined) running.unseen = cell.unseen;
	};
	process.on("uncaughtException", notice("uncaught exception"));
	process.on("unhandledRejection", notice("unhandled rejection"));
}

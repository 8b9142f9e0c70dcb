import { AsyncLocalStorage } from "node:async_hooks";
import { CellOutput } from "./cell-output.js";
import type { TslabInternals } from "./tslab.js";

/** Taken before any cell runs: a cell may put fake timers in place. */
const later = setImmediate;

/** What a cell threw where nobody was waiting for it: from a timer, an event, or a promise without a handler. */
export interface UnseenError {
	/** The request that ran the cell it came from. */
	readonly requestId: string;
	readonly kind: "uncaught exception" | "unhandled rejection";
	readonly name: string;
	readonly message: string;
	readonly stack: string;
}

/**
 * Output and errors go to the cell that caused them. tslab sends both to whichever cell started last, and calls a cell
 * good that left a rejection behind. Here every cell runs in an async context of its own, so a timer's late line is
 * attached to the cell that set the timer, and a cell whose error nobody saw fails – in any front end.
 * `report` tells a runner, and says whether there is one.
 */
export function attributeToCells({ handler, server }: TslabInternals, report: (error: UnseenError) => boolean): void {
	const requests = new AsyncLocalStorage<string>();
	const cells = new AsyncLocalStorage<CellOutput>();
	let latest: CellOutput | undefined;
	const here = () => cells.getStore() ?? latest;

	const handleExecute = server.handleExecute;
	server.handleExecute = function (socket, message) {
		return requests.run(message.header.msg_id, () => handleExecute.call(this, socket, message));
	};

	const handleExecuteImpl = handler.handleExecuteImpl;
	handler.handleExecuteImpl = function (request, stream, display) {
		const cell = new CellOutput(requests.getStore() ?? "", stream, display);
		latest = cell;
		return cells.run(cell, async () => {
			try {
				const count = await handleExecuteImpl.call(this, request, stream, (message, update) =>
					(here() ?? cell).display(message, update),
				);
				await nextTurn(); // rejections without a handler become known when the microtasks are done
				if (cell.failedUnseen) throw count; // as tslab does for a cell that failed
				return count;
			} finally {
				cell.running = false;
				cell.flush();
			}
		});
	};

	handler.createWriteToIopub = (name) => {
		function write(chunk: string | Uint8Array, encodingOrDone?: unknown, done?: unknown): boolean {
			here()?.write(name, chunk);
			const callback = typeof encodingOrDone === "function" ? encodingOrDone : done;
			if (typeof callback === "function") process.nextTick(callback as () => void);
			return true;
		}
		return write;
	};

	const unseen = (kind: UnseenError["kind"]) => (reason: unknown) => {
		const cell = here();
		if (cell === undefined) return;
		const error = reason instanceof Error ? reason : undefined;
		const told = report({
			requestId: cell.requestId,
			kind,
			name: error?.name ?? "Error",
			message: error?.message ?? String(reason),
			stack: error?.stack ?? String(reason),
		});
		cell.failedUnseen = true;
		// Too late for its own cell and no runner to fail it all the same: then the running one must not pass.
		if (!told && !cell.running && latest !== undefined) latest.failedUnseen = true;
	};
	process.on("uncaughtException", unseen("uncaught exception"));
	process.on("unhandledRejection", unseen("unhandled rejection"));
	process.on("exit", () => here()?.flush());
}

function nextTurn(): Promise<void> {
	return new Promise((resolve) => later(resolve));
}

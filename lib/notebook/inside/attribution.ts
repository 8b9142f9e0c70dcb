import { CellOutput, type ExecuteRequest } from "./cell-output.js";
import { cellStarted, cells, here, requests } from "./contexts.js";
import { rearmInterrupt } from "./signals.js";
import type { TslabInternals } from "./tslab.js";

/** Taken before any cell runs: a cell may put fake timers in place. */
const later = setImmediate;

/**
 * Output and errors go to the cell that caused them. tslab sends both to whichever cell started last. Here every cell
 * runs in an async context of its own, so a timer's late line is attached to the cell that set the timer.
 */
export function attributeToCells({ handler, server }: TslabInternals): void {
	const handleExecute = server.handleExecute;
	server.handleExecute = function (socket, message) {
		const publish: ExecuteRequest["publish"] = (type, content) => {
			const reply = message.createReply();
			reply.header.msg_type = type;
			reply.content = content;
			reply.signAndSend(this.connInfo.key, this.iopub);
		};
		const request = { id: message.header.msg_id, publish };
		return requests.run(request, () => handleExecute.call(this, socket, message));
	};

	const handleExecuteImpl = handler.handleExecuteImpl;
	handler.handleExecuteImpl = function (content, stream, display) {
		const request = requests.getStore();
		if (request === undefined) return handleExecuteImpl.call(this, content, stream, display);
		const cell = new CellOutput(request, stream, display);
		cellStarted(cell);
		request.publish("execute_input", { code: content.code, execution_count: this.execCount + 1 });
		return cells.run(cell, async () => {
			try {
				const done = handleExecuteImpl.call(this, content, stream, (message, update) =>
					(here() ?? cell).display(message, update),
				);
				rearmInterrupt(); // the synchronous part of the cell has run
				const count = await done;
				await new Promise((resolve) => later(resolve)); // now rejections without a handler are known
				if (cell.unseen === undefined) {
					// tslab reports the diagnostics of a module but calls the cell good
					if (cell.error !== undefined) cell.write("stderr", `${cell.error.traceback.join("\n")}\n`);
					return count;
				}
				cell.error = cell.unseen;
				throw count; // as tslab does for a cell that failed
			} catch (thrown) {
				cell.flush();
				if (cell.error !== undefined) request.publish("error", cell.error);
				throw thrown;
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
			if (typeof callback === "function") process.nextTick(() => callback());
			return true;
		}
		return write;
	};
	process.on("exit", () => here()?.flush());
}

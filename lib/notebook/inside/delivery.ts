import type { JupyterServer } from "./tslab.js";

/**
 * Every message arrives. By default a zeromq publisher drops what a subscriber has not taken (1,000 messages), and
 * after 512 sends the binding makes the next one wait, which tslab does not: the rest of the output is lost, the
 * final `idle` with it, and a client waits for ever. Without a high-water mark a send can always happen at once, and
 * with a send timeout of 0 the binding does it at once; the messages then wait in the kernel's memory, in order.
 */
export function deliverEverything(server: JupyterServer): void {
	const bindSocket = server.bindSocket;
	server.bindSocket = function (socket, port) {
		if (socket === this.iopub) {
			this.iopub.sendHighWaterMark = 0;
			this.iopub.sendTimeout = 0;
		}
		return bindSocket.call(this, socket, port);
	};
}

/** Time that a kernel gets to end by itself after a shutdown request before it ends anyway. */
const GRACE_MS = 500;

/** A server or a timer that a cell left running keeps a kernel alive for ever; after a shutdown request it must not. */
export function endAfterShutdown(server: JupyterServer): void {
	const close = server.close;
	server.close = function () {
		close.call(this);
		setTimeout(() => process.exit(0), GRACE_MS).unref();
	};
}

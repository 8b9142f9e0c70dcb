import { SEND_AT_ONCE } from "../sending.js";
import type { JupyterServer } from "./tslab.js";

/**
 * Every message arrives, on every channel. tslab does not wait for a send to be done: of 1,000 lines in one turn, or
 * of 300 requests that came in while the kernel was starting, the rest is lost, the final `idle` with it, and a client
 * waits for ever.
 */
export function deliverEverything(server: JupyterServer): void {
	const bindSocket = server.bindSocket;
	server.bindSocket = function (socket, port) {
		Object.assign(socket, SEND_AT_ONCE);
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

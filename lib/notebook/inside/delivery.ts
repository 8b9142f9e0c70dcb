import { SEND_AT_ONCE } from "../sending.js";
import { decodeMessage } from "../wire.js";
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

/**
 * A message of a stranger is not answered and harms no cell. It is nobody's attack as a rule: a front end keeps asking
 * for the heartbeat of a kernel that is gone, on a port that is now this kernel's. tslab would throw, and whichever cell
 * runs then would be blamed.
 */
export function ignoreStrangers(server: JupyterServer): void {
	const handleShellMessage = server.handleShellMessage;
	server.handleShellMessage = async function (socket, ...frames) {
		if (isOurs(this.connInfo.key, frames)) await handleShellMessage.call(this, socket, ...frames);
	};
}

function isOurs(key: string, frames: readonly Buffer[]): boolean {
	try {
		decodeMessage(key, frames);
		return true;
	} catch {
		return false;
	}
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

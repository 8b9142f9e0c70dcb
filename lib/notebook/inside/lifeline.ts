import { Socket } from "node:net";
import type { UnseenError } from "./unseen.js";

/** Names the file descriptor that ties a kernel to the runner that started it. */
export const LIFELINE_VARIABLE = "WORKBOOK_KERNEL_LIFELINE";

/** kernel → runner, one JSON object a line */
export type LifelineMessage = { readonly type: "unseen-error" } & UnseenError;

/**
 * Ties this kernel to its runner: when the runner is gone, even by SIGKILL, the kernel and its children go too.
 * Returns the way to tell the runner something; it answers false in Jupyter, where there is none.
 */
export function holdLifeline(): (message: LifelineMessage) => boolean {
	const descriptor = Number(process.env[LIFELINE_VARIABLE]);
	delete process.env[LIFELINE_VARIABLE]; // children are tied to this process, not to the runner
	if (!Number.isInteger(descriptor) || descriptor < 3) return () => false;
	const socket = new Socket({ fd: descriptor, readable: true, writable: true });
	socket.on("error", () => {});
	socket.on("close", endGroup);
	socket.resume();
	socket.unref();
	return (message) => {
		socket.write(`${JSON.stringify(message)}\n`);
		return true;
	};
}

function endGroup(): void {
	try {
		if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
	} catch {
		// not the leader of a group: end alone
	}
	process.exit(1);
}

import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import type { Connections } from "./connections.js";
import type { Scorer } from "./scorer.js";

/** No request came and none was answered for this long: nothing is on its way any more. */
const QUIET_MS = 100;
const LOOK_EVERY_MS = 10;
/** New clients that keep coming do not keep the door open for longer. */
const ACCEPT_MS = 1000;

export interface Drainable {
	readonly server: Server;
	readonly connections: Connections;
	readonly scorer: Scorer;
	/** Requests answered so far, on all routes. */
	readonly answered: () => number;
}

/** The loop may accept one connection a turn only; a turn without any means that none is left. */
async function acceptBacklog(connections: Connections, boundMs: number): Promise<void> {
	const endMs = performance.now() + boundMs;
	for (let before = -1; connections.accepted > before && performance.now() < endMs; ) {
		before = connections.accepted;
		// From wherever this is called, the loop polls its sockets between the two.
		await turn();
		await turn();
	}
}

/**
 * Stops taking new connections and answers everything that was sent on those that are open.
 *
 * A request may lie in a socket's buffer, or be on its way, when the order to stop comes; `http.Server.close()`
 * would destroy its connection, which looks idle, and the request would be lost. So the listening socket alone is
 * closed, once the kernel's queue of connections that nobody has accepted yet is empty; each reply from now on asks
 * its client to close; and the rest is closed only when nothing has moved for a while. Half a request is not a
 * request: it is cut off.
 *
 * @returns true when everything was answered, false when `boundMs` was over first.
 */
export async function drain({ server, connections, scorer, answered }: Drainable, boundMs: number): Promise<boolean> {
	const endMs = performance.now() + boundMs;
	await acceptBacklog(connections, Math.min(ACCEPT_MS, boundMs));
	NetServer.prototype.close.call(server);
	let seen = -1;
	let movedMs = performance.now();
	while (connections.open > 0) {
		const nowMs = performance.now();
		if (nowMs >= endMs) break;
		if (connections.busy || answered() !== seen) movedMs = nowMs;
		else if (nowMs - movedMs >= QUIET_MS) break;
		seen = answered();
		scorer.flush();
		await delay(LOOK_EVERY_MS);
	}
	// What comes in from here on is answered 503.
	const closed = scorer.close().then(() => true);
	const inTime = await Promise.race([closed, delay(Math.max(0, endMs - performance.now()), false, { ref: false })]);
	await turn(); // the last replies are written from promises that have just settled
	return inTime && !connections.busy;
}

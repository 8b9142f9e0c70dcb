import { createServer } from "node:http";

/**
 * The server of the freezing demonstration, a process of its own: it answers at once, and `afterMs` after the first
 * message it blocks its only thread for `freezeMs`, once. Says `{ port }` over the process channel; ends with its parent.
 */
const [afterMs = 0, freezeMs = 0] = process.argv.slice(2).map(Number);
const server = createServer((request, response) => {
	request.resume();
	request.on("end", () => response.end("{}"));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
});
const blocked = new Int32Array(new SharedArrayBuffer(4));
process.once("message", () => {
	// The first message starts the clock, so that the freeze falls into the counted time.
	setTimeout(() => Atomics.wait(blocked, 0, 0, freezeMs), afterMs);
});
process.on("disconnect", () => process.exit(0));

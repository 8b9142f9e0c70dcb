/** The process entry, started by `startClient` only. */
import { hasCode } from "../base/index.js";
import type { ClientCommand, ClientConfigure, ClientMessage } from "./protocol.js";
import { prepareClient } from "./run.js";

const say = (message: ClientMessage) => void process.send?.(message);

let go: () => void = () => {};
const told = new Promise<void>((resolve) => {
	go = resolve;
});

async function serve(configure: ClientConfigure): Promise<void> {
	const client = await prepareClient(configure);
	say({ type: "warm" });
	await told;
	const result = await client.run();
	client.close();
	say({ type: "done", ...result, rssBytes: process.memoryUsage.rss() });
}

function sayFailed(error: unknown): void {
	const hint = error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : undefined;
	say({
		type: "failed",
		code: hasCode(error) ? error.code : "CLIENT_FAILED",
		message: error instanceof Error ? error.message : String(error),
		...(hint === undefined ? {} : { hint }),
	});
}

process.on("message", (command: ClientCommand) => {
	if (command.type === "configure") serve(command).catch(sayFailed);
	else if (command.type === "go") go();
	else process.exit(0);
});
// Ctrl-C reaches the whole group; the parent decides what it means, and ends this process by closing the channel.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
say({ type: "ready" });

/** Process entry of Part A. It imports model code and nothing else: no server, no client, no batcher. */
import { once } from "node:events";
import { hasCode } from "../../base/index.js";
import { openAssets, openModel } from "../assets/index.js";
import { atLeastRows, rowsFor } from "../rows.js";
import type { AloneConfig, AloneMessage } from "./protocol.js";
import { timeCalls } from "./time-calls.js";

/** The compiler of the JavaScript around the call needs some hundred milliseconds of it before it is done. */
const WARM_UP_MS = 300;
const WARM_UP_CALLS = 20_000;

/** Resolves when the message is on its way: the channel may be closed then. */
function say(message: AloneMessage): Promise<void> {
	return new Promise((resolve) => {
		process.send?.(message, undefined, undefined, () => resolve());
	});
}

async function main(config: AloneConfig): Promise<void> {
	const assets = openAssets(config.dataDir);
	const model = await openModel(assets, config.model, { threads: config.threads });
	const rows = rowsFor(model, assets, config.seed);
	const filled = atLeastRows(rows, Math.max(...config.order));
	await timeCalls(model, filled, 1, { calls: WARM_UP_CALLS, budgetMs: WARM_UP_MS });
	const told = once(process, "message");
	await say({ type: "ready", rowsFrom: rows.source });
	await told;
	for (const size of config.order) await say({ type: "size", size: await timeCalls(model, filled, size, config) });
	await model.close();
	process.disconnect();
}

process.on("disconnect", () => process.exit());
main(JSON.parse(process.argv[2] ?? "")).catch(async (error: unknown) => {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Error && "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {};
	await say({ type: "failed", code: hasCode(error) ? error.code : "INTERNAL", message, ...hint });
	process.disconnect();
});

import { setTimeout as delay } from "node:timers/promises";
import { functionModel } from "batching-lab/model";
import { hostService, type ServiceConfig } from "batching-lab/service";
import { store } from "./doubles.js";

/** A service process for tests: `config.model` says how its model behaves. */
const config: ServiceConfig = JSON.parse(process.argv[2] ?? "");

await hostService(config, async ({ model }) => {
	if (model === "missing") throw new Error("no such model");
	if (model === "crash") {
		process.stderr.write("the last words\n");
		process.abort();
	}
	if (model === "silent") await delay(60_000);
	return {
		store,
		model: functionModel(model, [{ name: "x", type: "float32", width: 6 }], async ({ x }, rows) => {
			if (model === "slow") await delay(2);
			return Float32Array.from(
				{ length: rows },
				(_, row) => (10 * Number(x?.[6 * row]) + Number(x?.[6 * row + 1])) / 99_999,
			);
		}),
		close: async () => {},
	};
});

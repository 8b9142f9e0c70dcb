/** The service with parts left out, for the account of its microseconds: `model` is `gbt`, or `instant`. */
import { functionModel } from "batching-lab/model";
import { hostService, openParts, type ServiceConfig } from "batching-lab/service";

const config: ServiceConfig = JSON.parse(process.argv[2] ?? "");
/** `instant` answers without a model; `+storeless` reads no row either. */
const [model = "gbt", storeless] = config.model.split("+");

await hostService(config, async ({ dataDir }) => {
	const parts = await openParts(dataDir, model === "instant" ? "gbt" : model);
	if (model !== "instant") return parts;
	return {
		...parts,
		store: storeless === undefined ? parts.store : { lookupInto: (_, month = "2011-11") => month },
		model: functionModel("instant", parts.model.inputs, (_, rows) => new Float32Array(rows).fill(0.2)),
	};
});

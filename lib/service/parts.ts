import { CodedError } from "../base/index.js";
import { type Model, openAssets, openModel } from "../model/index.js";
import { FEATURE_COUNT, openStore, type Store } from "../shop/index.js";
import type { ServiceParts } from "./host.js";

/**
 * The shop's store and a model by name, checked to fit each other.
 *
 * @throws {CodedError} what `openAssets`, `openModel` and `openStore` throw; `MODEL_DOES_NOT_FIT`.
 */
export async function openParts(dataDir: string, modelName: string): Promise<ServiceParts & { readonly store: Store }> {
	const assets = openAssets(dataDir);
	const model = await openModel(assets, modelName);
	checkWidth(model);
	const store = openStore(assets.storePath);
	return {
		model,
		store,
		async close() {
			store.close();
			await model.close();
		},
	};
}

function checkWidth({ name, inputs }: Model): void {
	const [input] = inputs;
	if (input === undefined || input.width === FEATURE_COUNT) return;
	throw new CodedError(
		"MODEL_DOES_NOT_FIT",
		`the shop's rows have ${FEATURE_COUNT} features; input "${input.name}" of model "${name}" takes ${input.width}`,
	);
}

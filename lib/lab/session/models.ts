import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Assets, findModel, MODEL_NAMES } from "../../model/index.js";
import type { Json } from "../../record/index.js";

/** What the record keeps of a model. */
export interface ModelFacts {
	/** Short name, as in records and reports. */
	readonly name: string;
	/** What a service is told: `gbt`, or a path. */
	readonly source: string;
	readonly sha256: string;
	readonly averagePrecision: number | null;
	readonly facts: Json;
}

/**
 * The facts of each model of a profile, its hash taken from the file itself.
 *
 * @throws {CodedError} `UNKNOWN_MODEL`, `NO_MODEL_FILE`
 */
export function describeModels(assets: Assets, models: readonly string[]): ModelFacts[] {
	return models.map((source) => {
		const { name, path } = findModel(assets, source);
		const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
		const own = MODEL_NAMES.find((known) => known === source);
		const facts = own === undefined ? { file: path } : { ...assets.manifest.models[own] };
		const averagePrecision = own === "gbt" ? assets.manifest.models.gbt.testAveragePrecision : null;
		return { name, source, sha256, averagePrecision, facts };
	});
}

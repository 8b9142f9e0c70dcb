import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CodedError } from "../../base/index.js";
import { REQUESTS_FILE, STORE_FILE } from "../../shop/index.js";
import { loadOnnxModel, type OnnxModelOptions } from "../session.js";
import type { Model } from "../types.js";
import { rollForward } from "./commit.js";
import {
	type Manifest,
	MODEL_NAMES,
	type ModelName,
	missingFile,
	modelFile,
	readManifest,
	verifyFiles,
} from "./manifest.js";

/** A data folder whose every file is the one that its manifest describes. */
export interface Assets {
	/** Absolute. */
	readonly dataDir: string;
	readonly storePath: string;
	readonly requestsPath: string;
	readonly modelPaths: Readonly<Record<ModelName, string>>;
	readonly manifest: Manifest;
}

/**
 * Opens a data folder that `prepareAssets` has filled, and holds every file against the manifest's hashes.
 *
 * @throws {CodedError} `ASSETS_MISSING`, `MANIFEST_FOREIGN`, or `MANIFEST_MISMATCH`, which says what differs and how
 *   to rebuild it.
 */
export function openAssets(dataDir: string): Assets {
	const folder = resolve(dataDir);
	rollForward(folder);
	const manifest = readManifest(folder);
	if (manifest === undefined)
		throw new CodedError("ASSETS_MISSING", `there is no manifest in ${folder}, so no store and no models to trust`, {
			hint: "workbook data reset builds them",
		});
	const [missing] = verifyFiles(folder, manifest);
	if (missing !== undefined) throw missingFile(folder, missing, manifest);
	const path = (name: ModelName) => join(folder, modelFile(name));
	return {
		dataDir: folder,
		storePath: join(folder, STORE_FILE),
		requestsPath: join(folder, REQUESTS_FILE),
		modelPaths: { gbt: path("gbt"), ft: path("ft"), mlp: path("mlp") },
		manifest,
	};
}

function isModelName(name: string): name is ModelName {
	return MODEL_NAMES.some((known) => known === name);
}

/**
 * The path and the short name of a model: `gbt`, `ft`, `mlp`, or the path of an `.onnx` file of a user's own.
 *
 * @throws {CodedError} `UNKNOWN_MODEL`, naming what there is; `NO_MODEL_FILE`.
 */
export function findModel(assets: Assets, name: string): { readonly name: string; readonly path: string } {
	if (isModelName(name)) return { name, path: assets.modelPaths[name] };
	if (!name.endsWith(".onnx"))
		throw new CodedError(
			"UNKNOWN_MODEL",
			`unknown model "${name}"; there are ${MODEL_NAMES.join(", ")}, or the path of an .onnx file`,
		);
	if (!existsSync(name)) throw new CodedError("NO_MODEL_FILE", `there is no model file ${resolve(name)}`);
	const [base = name] = name.split(/[\\/]/).slice(-1);
	return { name: base.slice(0, -".onnx".length), path: resolve(name) };
}

/**
 * Loads and warms up a model by name: `gbt`, `ft`, `mlp`, or the path of an `.onnx` file.
 *
 * @throws {CodedError} `UNKNOWN_MODEL`, `NO_MODEL_FILE`, `BAD_MODEL_FILE`, `MISSING_PACKAGE`
 */
export async function openModel(assets: Assets, name: string, options: OnnxModelOptions = {}): Promise<Model> {
	const found = findModel(assets, name);
	return loadOnnxModel(found.path, { name: found.name, ...options });
}

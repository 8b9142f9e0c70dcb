export type { AssetOptions } from "./build.js";
export { MANIFEST_FILE, type Manifest, MODEL_NAMES, type ModelName, sha256 } from "./manifest.js";
export { type Assets, findModel, openAssets, openModel } from "./open.js";
export { prepareAssets, type RebuildOptions, rebuildAssets } from "./prepare.js";

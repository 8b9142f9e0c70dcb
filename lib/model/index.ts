export {
	ALONE_SIZES,
	type AloneConfig,
	type AloneProcess,
	type AloneRound,
	type AloneSize,
	type BatchingVerdict,
	type CallCost,
	type CallLimits,
	callPoints,
	defaultPin,
	judgeBatching,
	type ModelAlone,
	type ModelAloneOptions,
	measureModelAlone,
	startAlone,
	timeCalls,
} from "./alone/index.js";
export {
	type AssetOptions,
	type Assets,
	findModel,
	MANIFEST_FILE,
	type Manifest,
	MODEL_NAMES,
	type ModelName,
	openAssets,
	openModel,
	prepareAssets,
	type RebuildOptions,
	rebuildAssets,
	sha256,
} from "./assets/index.js";
export {
	type BitCheck,
	type BitCheckOptions,
	bitCheck,
	POWERS_OF_TWO,
	type Rows,
	type SizeCheck,
	scoresAtSize,
	singleRowScores,
	type TaskOptions,
} from "./bit-check.js";
export { type BitDifference, compareBits, scoreBits } from "./bits.js";
export { functionModel, type ScoreFunction } from "./function-model.js";
export {
	averagePrecision,
	type BoostedTrees,
	describeGbt,
	exportGbtOnnx,
	type GbtDescription,
	type GbtOptions,
	type LabelledRows,
	LESSON_GBT,
	scoreGbt,
	type Tree,
	trainGbt,
} from "./gbt/index.js";
export { buildFt, buildMlp, type FeatureScale, featureScale, type NetworkOptions } from "./networks/index.js";
export { encodeModel, type OnnxModel } from "./onnx/index.js";
export { firstRows, type ModelRows, rowsFor } from "./rows.js";
export { runtimeVersion } from "./runtime.js";
export {
	compareMachines,
	type MachineComparison,
	readScoreFile,
	rowsHash,
	type ScoreFile,
	writeScoreFile,
} from "./score-file.js";
export { loadOnnxModel, type OnnxModelOptions } from "./session.js";
export type * from "./types.js";

export { functionModel, type ScoreFunction } from "./function-model.js";
export { buildFt, buildMlp, type FeatureScale, featureScale, type NetworkOptions } from "./networks/index.js";
export { encodeModel, type OnnxModel } from "./onnx/index.js";
export { loadOnnxModel, type OnnxModelOptions } from "./session.js";
export type * from "./types.js";

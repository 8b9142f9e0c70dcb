export { encodeModel, type OnnxModel } from "./onnx/index.js";
export type * from "./types.js";

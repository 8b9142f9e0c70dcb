export { encodeModel } from "./encode.js";
export type { Attribute, Dimension, GraphNode, OnnxModel, Tensor, ValueInfo } from "./types.js";

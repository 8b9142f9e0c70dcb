export { averagePrecision } from "./average-precision.js";
export { describeGbt, type GbtDescription, LESSON_GBT } from "./describe.js";
export { exportGbtOnnx } from "./export.js";
export { scoreGbt, treeValue } from "./score.js";
export { trainGbt } from "./train.js";
export type { BoostedTrees, GbtOptions, LabelledRows, Tree } from "./types.js";

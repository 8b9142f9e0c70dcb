export { buildFt } from "./ft.js";
export { buildMlp } from "./mlp.js";
export { type FeatureScale, featureScale, type NetworkOptions } from "./network.js";

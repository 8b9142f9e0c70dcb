export { type BuildStoreOptions, buildStore } from "./build.js";
export { MONTHS, parseTime, SPLITS, type Split } from "./calendar.js";
export { type FeatureRow, makeFeatures } from "./features.js";
export { importShop } from "./import.js";
export { type RequestDraw, readRequests, type ShopRequest } from "./requests.js";
export {
	REQUESTS_FILE,
	RETAIL_ATTRIBUTION,
	STORE_FILE,
	type StoreMeta,
	type StoreTotals,
	WHOLE_RETAIL,
} from "./schema.js";
export { openStore, type Store } from "./store.js";
export { DEFAULT_SHOP_SEED, syntheticShop } from "./synthetic.js";
export {
	type CustomerMonth,
	FEATURE_COUNT,
	FEATURE_NAMES,
	type Invoice,
	type RowSet,
	type Shop,
	type ShopOrigin,
	type TaskOptions,
	type TaskProgress,
} from "./types.js";

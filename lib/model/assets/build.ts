import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError, deriveSeed } from "../../base/index.js";
import {
	buildStore,
	FEATURE_COUNT,
	openStore,
	REQUESTS_FILE,
	readRequests,
	type Shop,
	STORE_FILE,
	type Store,
	type TaskProgress,
} from "../../shop/index.js";
import { averagePrecision, describeGbt, exportGbtOnnx, trainGbt } from "../gbt/index.js";
import { buildFt, buildMlp, featureScale } from "../networks/index.js";
import { runtimeVersion } from "../runtime.js";
import { loadOnnxModel } from "../session.js";
import { writeSynced } from "./commit.js";
import { ASSET_FILES, MANIFEST_FILE, type Manifest, modelFile, sha256 } from "./manifest.js";

export interface AssetOptions {
	/** Of the synthetic shop and of the two networks. @default the shop's own default */
	readonly seed?: number;
	readonly onProgress?: (event: TaskProgress) => void;
	/** Aborting rejects with `INTERRUPTED`; the files in use stay as they were. */
	readonly signal?: AbortSignal;
}

/** Shares of the whole, from what each step takes. */
const STEPS = { store: 40, trees: 45, networks: 5, scores: 10 };
const TOTAL = STEPS.store + STEPS.trees + STEPS.networks + STEPS.scores;

function stepper({ onProgress }: AssetOptions) {
	let before = 0;
	return (step: keyof typeof STEPS, text: string) => {
		const start = before;
		before += STEPS[step];
		onProgress?.({ done: start, total: TOTAL, text });
		return ({ done, total }: TaskProgress): void =>
			onProgress?.({ done: start + (STEPS[step] * done) / Math.max(1, total), total: TOTAL, text });
	};
}

function stopIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted)
		throw new CodedError("INTERRUPTED", "the build was interrupted; the files in use are unchanged", { exitCode: 130 });
}

/** AP of the file itself, not of the trainer's own scores: what is served is what is judged. */
async function testPrecision(
	gbt: Uint8Array,
	store: Store,
	onProgress: (event: TaskProgress) => void,
): Promise<number> {
	const { rows, features, labels } = store.testRows();
	const model = await loadOnnxModel(gbt, { name: "gbt" });
	try {
		const [input] = model.inputs;
		const scores = new Float32Array(rows);
		const chunk = 4096;
		for (let row = 0; row < rows; row += chunk) {
			const size = Math.min(chunk, rows - row);
			const part = features.subarray(row * FEATURE_COUNT, (row + size) * FEATURE_COUNT);
			scores.set(await model.score({ [input?.name ?? ""]: part }, size), row);
			onProgress({ done: row + size, total: rows, text: "" });
		}
		return averagePrecision(scores, labels);
	} finally {
		await model.close();
	}
}

/** Where the store of a build comes from: made from a shop's books, or the files that are in use already. */
export type StoreSource = { readonly shop: Shop } | { readonly existing: string };

/**
 * Makes every file and the manifest in `folder`, which is nobody else's. Equal sources, seeds and versions give equal
 * files, byte for byte.
 */
export async function buildFiles(
	folder: string,
	source: StoreSource,
	seed: number,
	options: AssetOptions,
): Promise<void> {
	const { signal } = options;
	const startStep = stepper(options);
	const storeProgress = startStep("store", "building the store of customer-months");
	if ("shop" in source)
		await buildStore(source.shop, { dataDir: folder, onProgress: storeProgress, ...(signal ? { signal } : {}) });
	else for (const file of [STORE_FILE, REQUESTS_FILE]) copyFileSync(join(source.existing, file), join(folder, file));

	stopIfAborted(signal);
	const store = openStore(join(folder, STORE_FILE));
	try {
		const trees = await trainGbt(
			{ fit: store.rowsOf("fit"), heldOut: store.rowsOf("heldOut") },
			{ onProgress: startStep("trees", "training the boosted trees"), ...(signal ? { signal } : {}) },
		);
		const gbt = exportGbtOnnx(trees);
		writeSynced(join(folder, modelFile("gbt")), gbt);

		startStep("networks", "making the two networks");
		stopIfAborted(signal);
		const scale = featureScale(store.trainRows().features, FEATURE_COUNT);
		const seeds = { ft: deriveSeed(seed, "ft"), mlp: deriveSeed(seed, "mlp") };
		writeSynced(join(folder, modelFile("ft")), buildFt({ seed: seeds.ft, scale }));
		writeSynced(join(folder, modelFile("mlp")), buildMlp({ seed: seeds.mlp, scale }));

		const testAveragePrecision = await testPrecision(gbt, store, startStep("scores", "scoring the test rows"));
		stopIfAborted(signal);
		const { meta } = store;
		const manifest: Manifest = {
			format: 1,
			files: Object.fromEntries(
				ASSET_FILES.map((file) => {
					const bytes = readFileSync(join(folder, file));
					return [file, { sha256: sha256(bytes), bytes: bytes.length }];
				}),
			),
			shop: {
				source: meta.source,
				...(meta.source === "synthetic" ? { seed: meta.seed } : { importedSha256: meta.sha256 }),
				trainRows: meta.fitRows + meta.heldOutRows,
				testRows: meta.testRows,
				baseRate: meta.baseRate,
				requests: readRequests(join(folder, REQUESTS_FILE)).length,
			},
			models: {
				gbt: { ...describeGbt(trees, store.testRows()), testAveragePrecision },
				ft: { seed: seeds.ft, trained: false },
				mlp: { seed: seeds.mlp, trained: false },
			},
			madeWith: { node: process.versions.node, onnxruntime: await runtimeVersion() },
		};
		writeSynced(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, "\t")}\n`);
	} finally {
		store.close();
	}
	options.onProgress?.({ done: TOTAL, total: TOTAL, text: "store and models are ready" });
}

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { DEFAULT_SHOP_SEED, openStore, REQUESTS_FILE, type Shop, STORE_FILE, syntheticShop } from "../../shop/index.js";
import { type AssetOptions, buildFiles, type StoreSource } from "./build.js";
import { commitBuild, rollForward, startBuild } from "./commit.js";
import { type Manifest, missingFile, readManifest, verifyFiles } from "./manifest.js";
import { type Assets, openAssets } from "./open.js";

/** An imported shop that lost a file cannot be made again from a seed, and must not turn into a synthetic one. */
function refuseImported(dataDir: string, file: string): CodedError {
	return new CodedError("STORE_INCOMPLETE", `${file} is missing beside an imported shop in ${dataDir}`, {
		hint: "workbook data import FILE brings the real shop back, workbook data reset goes to the synthetic one",
	});
}

/** What a folder without a valid manifest can be rebuilt from. */
function findSource(dataDir: string, seed: number): StoreSource {
	const path = join(dataDir, STORE_FILE);
	if (!existsSync(path)) return { shop: syntheticShop(seed) };
	if (existsSync(join(dataDir, REQUESTS_FILE))) return { existing: dataDir };
	const store = openStore(path);
	const { meta } = store;
	store.close();
	if (meta.source === "imported") throw refuseImported(dataDir, REQUESTS_FILE);
	return { shop: syntheticShop(meta.seed) };
}

async function build(
	dataDir: string,
	options: AssetOptions,
	findStore: (seed: number) => StoreSource,
): Promise<Assets> {
	const seed = options.seed ?? DEFAULT_SHOP_SEED;
	const folder = startBuild(dataDir);
	try {
		await buildFiles(folder, findStore(seed), seed, options);
		commitBuild(dataDir, folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return openAssets(dataDir);
}

/** A file that the manifest lists and that a build from the same seeds makes again. */
function sourceFor(dataDir: string, manifest: Manifest, missing: readonly string[]): (seed: number) => StoreSource {
	const [lost] = [STORE_FILE, REQUESTS_FILE].filter((file) => missing.includes(file));
	if (lost === undefined) return () => ({ existing: dataDir });
	if (manifest.shop.source === "imported" || manifest.shop.seed === undefined)
		throw missingFile(dataDir, lost, manifest);
	const shop = syntheticShop(manifest.shop.seed);
	return () => ({ shop });
}

/**
 * Finds store, request list, models and manifest in a data folder, and builds what is missing: the synthetic shop
 * where there is no store, the models from the store there is. A few seconds the first time, some milliseconds after
 * that. Two processes may do it at once, and one may be killed in between: new files take their places only when all
 * of them are complete.
 *
 * @throws {CodedError} `MANIFEST_MISMATCH` for a file that is not the one the manifest describes – nothing is rebuilt
 *   over it silently; `STORE_INCOMPLETE`, `MISSING_PACKAGE`, `INTERRUPTED`.
 *
 * @example
 * const assets = await prepareAssets("data");
 * const model = await openModel(assets, "gbt");
 */
export async function prepareAssets(dataDir: string, options: AssetOptions = {}): Promise<Assets> {
	rollForward(dataDir);
	const manifest = readManifest(dataDir);
	if (manifest === undefined) return build(dataDir, options, (seed) => findSource(dataDir, seed));
	const missing = verifyFiles(dataDir, manifest);
	if (missing.length === 0) return openAssets(dataDir);
	return build(dataDir, options, sourceFor(dataDir, manifest, missing));
}

export interface RebuildOptions extends AssetOptions {
	/** The books to build from, for instance from `importShop`. @default the synthetic shop */
	readonly shop?: Shop;
}

/**
 * Builds store, request list, models and manifest anew, whatever is there: from imported books, or the synthetic
 * shop. On any failure everything is as it was.
 *
 * @example
 * await rebuildAssets("data", { shop: await importShop("retail-orders.csv.gz") });
 */
export async function rebuildAssets(dataDir: string, { shop, ...options }: RebuildOptions = {}): Promise<Assets> {
	return build(dataDir, options, (seed) => ({ shop: shop ?? syntheticShop(seed) }));
}

import { findProject, hasCode } from "../base/index.js";
import { type Assets, LESSON_GBT, openAssets, rebuildAssets } from "../model/index.js";
import { DEFAULT_SHOP_SEED, importShop, openStore, type StoreMeta, WHOLE_RETAIL } from "../shop/index.js";
import { interruptible } from "./interrupt.js";
import { createProgress, type ProgressEvent, writeJson } from "./io.js";

export interface Output {
	readonly json?: boolean;
}

interface Description {
	readonly assets: Assets;
	readonly meta: StoreMeta;
	/** False when an imported file gave fewer or more invoices than the whole extract has. */
	readonly whole: boolean;
}

/** Undefined where nothing has been built yet; any other fault is thrown. */
function openExisting(dataDir: string): Assets | undefined {
	try {
		return openAssets(dataDir);
	} catch (error) {
		if (hasCode(error) && error.code === "ASSETS_MISSING") return undefined;
		throw error;
	}
}

function describe(assets: Assets): Description {
	const store = openStore(assets.storePath);
	const { meta } = store;
	store.close();
	return { assets, meta, whole: meta.source === "synthetic" || meta.invoices === WHOLE_RETAIL.invoices };
}

function toJson({ assets, meta, whole }: Description): object {
	const { files, models, shop, madeWith } = assets.manifest;
	const lesson = { averagePrecision: LESSON_GBT.averagePrecision, trees: LESSON_GBT.trees, source: LESSON_GBT.source };
	return {
		dataDir: assets.dataDir,
		built: true,
		shop: { ...meta, whole, requests: shop.requests },
		models,
		lesson,
		files,
		madeWith,
	};
}

function toText({ assets, meta, whole }: Description): string {
	const number = (value: number) => value.toLocaleString("en-GB");
	const { gbt } = assets.manifest.models;
	const origin =
		meta.source === "synthetic"
			? `a synthetic shop, seed ${meta.seed}`
			: `the real shop, imported from an ${meta.format} file (sha256 ${meta.sha256.slice(0, 12)}…)\n        ${meta.attribution}`;
	const lines = [
		`shop    ${origin}`,
		`        ${number(meta.invoices)} invoices of ${number(meta.customers)} customers`,
		`rows    ${number(meta.fitRows + meta.heldOutRows)} to train on, ${number(meta.testRows)} to test and to ask for, base rate ${meta.baseRate.toFixed(4)}`,
		`gbt     ${gbt.trees} trees, ${number(gbt.leaves)} leaves, ${gbt.features} features, AP ${gbt.testAveragePrecision.toFixed(4)} on these test rows`,
		`        (the lesson's own model, on its own features of the real shop: AP ${LESSON_GBT.averagePrecision.toFixed(4)})`,
		`folder  ${assets.dataDir}`,
	];
	if (!whole)
		lines.push(
			`note    the whole extract has ${number(WHOLE_RETAIL.invoices)} invoices: this file lacks some or has others`,
		);
	return `${lines.join("\n")}\n`;
}

function print(description: Description, { json }: Output): void {
	if (json) writeJson(toJson(description));
	else process.stdout.write(toText(description));
}

/** Runs a build with a progress bar and Ctrl-C, then tells what is there now. */
async function rebuild(
	output: Output,
	build: (task: { onProgress: (event: ProgressEvent) => void; signal: AbortSignal }) => Promise<Assets>,
): Promise<void> {
	const progress = createProgress();
	try {
		const assets = await interruptible((signal) => build({ onProgress: progress.update, signal }));
		progress.stop();
		print(describe(assets), output);
	} finally {
		progress.stop();
	}
}

/** Puts the real shop in place of the one that is there. */
export function importData(file: string, output: Output): Promise<void> {
	return rebuild(output, async (task) =>
		rebuildAssets(findProject().dataDir, { shop: await importShop(file, task), ...task }),
	);
}

/** Goes back to a synthetic shop. */
export function resetData(seed: number | undefined, output: Output): Promise<void> {
	return rebuild(output, (task) =>
		rebuildAssets(findProject().dataDir, { ...task, ...(seed === undefined ? {} : { seed }) }),
	);
}

/** Tells what is there. */
export function dataInfo(output: Output): void {
	const { dataDir } = findProject();
	const assets = openExisting(dataDir);
	if (assets !== undefined) print(describe(assets), output);
	else if (output.json) writeJson({ dataDir, built: false });
	else
		process.stdout.write(
			`shop    none yet: the first run makes a synthetic one (seed ${DEFAULT_SHOP_SEED})\nfolder  ${dataDir}\n`,
		);
}

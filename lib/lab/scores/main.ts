/** Process entry: scores with a model that no other process holds, so the notebook's own process never loads one. */
import { CodedError, hasCode } from "../../base/index.js";
import {
	type Assets,
	bitCheck,
	type Model,
	openAssets,
	openModel,
	rowsFor,
	scoreBits,
	singleRowScores,
} from "../../model/index.js";
import { FEATURE_COUNT, openStore, readRequests } from "../../shop/index.js";
import type { BitResult, RequestScores, ScoreMessage, ScoreTask } from "./tasks.js";

function say(message: ScoreMessage): Promise<void> {
	return new Promise((resolve) => {
		if (process.send === undefined) resolve();
		else process.send(message, () => resolve());
	});
}

const onProgress = (event: { done: number; total: number; text: string }) => void say({ type: "progress", ...event });

async function bits(model: Model, assets: Assets, task: Extract<ScoreTask, { task: "bits" }>): Promise<BitResult> {
	const all = rowsFor(model, assets);
	const rows = task.rows === 0 ? all.rows : Math.min(task.rows, all.rows);
	const columns = Object.fromEntries(
		model.inputs.map(({ name, width }) => {
			const column = all.columns[name];
			if (column === undefined) throw new CodedError("BAD_MODEL_INPUT", `input column "${name}" is missing`);
			return [name, column.subarray(0, rows * width)];
		}),
	);
	const check = await bitCheck(model, { columns, rows }, { sizes: task.sizes, onProgress });
	return {
		rows: check.rows,
		distinctScores: check.distinctScores,
		identical: check.identical,
		sizes: check.sizes.map(({ size, differingRows, maxUlp, maxAbs }) => ({ size, differingRows, maxUlp, maxAbs })),
	};
}

async function requests(model: Model, assets: Assets): Promise<RequestScores> {
	const [input, ...more] = model.inputs;
	const fits = input !== undefined && more.length === 0 && input.type === "float32" && input.width === FEATURE_COUNT;
	if (!fits) return { bits: null };
	const list = readRequests(assets.requestsPath);
	const store = openStore(assets.storePath);
	try {
		const features = new Float32Array(list.length * FEATURE_COUNT);
		for (const [place, { customerId, month }] of list.entries()) {
			if (store.lookupInto(customerId, month, features, place * FEATURE_COUNT) !== undefined) continue;
			throw new CodedError("REQUESTS_FOREIGN", `the store has no row for customer ${customerId} in ${month}`, {
				hint: "workbook data reset builds store and request list anew",
			});
		}
		const rows = { columns: { [input.name]: features }, rows: list.length };
		return { bits: scoreBits(await singleRowScores(model, rows, { onProgress })) };
	} finally {
		store.close();
	}
}

async function main(task: ScoreTask): Promise<void> {
	const assets = openAssets(task.dataDir);
	const model = await openModel(assets, task.model, task.task === "bits" ? { threads: task.threads } : {});
	if (task.task === "bits") await say({ type: "bits", value: await bits(model, assets, task) });
	else await say({ type: "requests", value: await requests(model, assets) });
	await model.close();
	process.disconnect();
}

process.on("disconnect", () => process.exit());
main(JSON.parse(process.argv[2] ?? "")).catch(async (error: unknown) => {
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Error && "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {};
	await say({ type: "failed", code: hasCode(error) ? error.code : "INTERNAL", message, ...hint });
	process.disconnect();
});

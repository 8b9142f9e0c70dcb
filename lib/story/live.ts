import { type BatchReport, MicroBatcher } from "../batcher/index.js";
import { type Assets, openModel } from "../model/index.js";
import { fact, prose } from "../report/index.js";
import { openStore, readRequests } from "../shop/index.js";
import { median } from "../stats/index.js";
import { table, tell } from "./tell.js";

/** What the live cells need of a run. A `LabRun` is one. */
export interface LiveSource {
	readonly assets: Assets;
}

/** Rows of real customers, one Float32Array of six features each. */
function rowsOf({ assets }: LiveSource, count: number): Float32Array[] {
	const store = openStore(assets.storePath);
	try {
		return readRequests(assets.requestsPath)
			.slice(0, count)
			.map(({ customerId, month }) => {
				const row = new Float32Array(6);
				store.lookupInto(customerId, month, row, 0);
				return row;
			});
	} finally {
		store.close();
	}
}

async function withBatcher<T>(
	source: LiveSource,
	dials: { maxBatchSize: number; maxWaitMs: number },
	use: (batcher: MicroBatcher<Float32Array, number>) => Promise<T>,
): Promise<{ value: T; batches: readonly BatchReport[] }> {
	const model = await openModel(source.assets, "gbt");
	const input = model.inputs[0];
	const batches: BatchReport[] = [];
	const batcher = new MicroBatcher<Float32Array, number>(
		async (rows) => {
			const features = new Float32Array(rows.length * 6);
			for (const [index, row] of rows.entries()) features.set(row, index * 6);
			return model.score({ [input?.name ?? "features"]: features }, rows.length);
		},
		{ ...dials, onBatch: (report) => batches.push(report) },
	);
	try {
		const value = await use(batcher);
		return { value, batches };
	} finally {
		await batcher.close();
		await model.close();
	}
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Forty requests in clumps through the live batcher, in this process. For looking, not for quoting. */
export async function liveBatcher(
	source: LiveSource,
	{
		maxBatchSize,
		maxWaitMs,
		requests,
	}: { readonly maxBatchSize: number; readonly maxWaitMs: number; readonly requests: number },
): Promise<void> {
	const rows = rowsOf(source, requests);
	const { value: scores, batches } = await withBatcher(source, { maxBatchSize, maxWaitMs }, async (batcher) => {
		const promises: Promise<number>[] = [];
		for (const [index, row] of rows.entries()) {
			promises.push(batcher.submit(row));
			if (index % 8 === 7) await pause(maxWaitMs + 3);
			else if (index % 3 === 2) await pause(1);
		}
		return Promise.all(promises);
	});
	const lines = batches.map(({ batchId, size, reason, waitNs, modelNs }) => {
		const key = `virtual/live/${batchId}`;
		return [
			prose`${fact(`${key}/batchId`, batchId)}`,
			prose`${fact(`${key}/size`, size)}`,
			`\`${reason}\``,
			prose`${fact(`${key}/waitMs`, waitNs / 1e6, "ms")}`,
			prose`${fact(`${key}/modelUs`, modelNs / 1e3, "µs")}`,
		];
	});
	tell(
		`${table([["batch", "rows", "left because", "first row waited", "in the model"], ...lines])}\n\n${prose`${fact("virtual/live/scores", scores.length)} requests got ${fact("virtual/live/answers", scores.filter(Number.isFinite).length)} scores from ${fact("virtual/live/batches", batches.length)} model calls.`}`,
	);
}

/** How long the first row of a batch that did not fill really waited, for several W. In this process. */
export async function waitsAskedAndReal(source: LiveSource, waitsMs: readonly number[], samples = 15): Promise<void> {
	const [row = new Float32Array(6)] = rowsOf(source, 1);
	const lines: string[][] = [];
	let early = 0;
	for (const maxWaitMs of waitsMs) {
		const { batches } = await withBatcher(source, { maxBatchSize: 32, maxWaitMs }, async (batcher) => {
			for (let sample = 0; sample < samples; sample++) await batcher.submit(row);
		});
		const real = batches.map(({ waitNs }) => waitNs / 1e6);
		const key = `virtual/waits/${maxWaitMs}`;
		early += real.filter((ms) => ms < maxWaitMs).length;
		lines.push([
			prose`${fact(`${key}/asked`, maxWaitMs, "ms")}`,
			prose`${fact(`${key}/median`, median(real), "ms")}`,
			prose`${fact(`${key}/low`, Math.min(...real), "ms")}`,
			prose`${fact(`${key}/high`, Math.max(...real), "ms")}`,
			prose`${fact(`${key}/early`, real.filter((ms) => ms < maxWaitMs).length)} of ${fact(`${key}/samples`, real.length)}`,
		]);
	}
	tell(
		`${table([["W asked", "waited, median", "shortest", "longest", "too early"], ...lines])}\n\n${early === 0 ? "None left too early, so our look at the precise clock works." : "Some left too early: the look at the precise clock did not help."}`,
	);
}

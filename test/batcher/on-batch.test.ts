import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { type BatchReport, MicroBatcher, VirtualClock } from "batching-lab/batcher";
import { rig, watch } from "./harness.js";

test("every batch reports size, reason, both waits, model time and what was dropped", async () => {
	const { clock, batcher, reports } = rig({ maxBatchSize: 4, maxWaitMs: 2, modelMs: 3 });
	const controller = new AbortController();
	await clock.advance(7);
	watch(batcher.submit(1, { signal: controller.signal }), clock);
	await clock.advance(0.5);
	for (const row of [2, 3]) watch(batcher.submit(row), clock);
	controller.abort();
	await clock.advance(20);
	assert.deepEqual(reports, [
		{
			batchId: 1,
			size: 2,
			reason: "timer",
			firstSubmitNs: 7.5e6,
			askedWaitNs: 2e6,
			waitNs: 2e6,
			modelNs: 3e6,
			dropped: 1,
			failed: 0,
		},
	] satisfies BatchReport[]);
});

test("batch ids rise by one from 1, also over failed batches", async () => {
	const clock = new VirtualClock();
	const ids: number[] = [];
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			if (rows.includes(2)) throw new Error("boom");
			return rows;
		},
		{ clock, maxBatchSize: 1, onBatch: ({ batchId }) => ids.push(batchId) },
	);
	for (const row of [1, 2, 3]) watch(batcher.submit(row), clock);
	await clock.advance(1);
	assert.deepEqual(ids, [1, 2, 3]);
});

test("the rows of a batch are settled before its report, and stats agree with it", async () => {
	const seen: number[] = [];
	const { clock, batcher } = rig({ onBatch: () => seen.push(batcher.stats().answered) });
	for (const row of [1, 2, 3]) watch(batcher.submit(row), clock);
	await clock.advance(1);
	assert.deepEqual(seen, [3]);
});

test("an onBatch that throws harms no row, is counted, and is said aloud once", async () => {
	const warned = once(process, "warning");
	const { clock, batcher } = rig({
		maxBatchSize: 1,
		onBatch: () => {
			throw new Error("observer down");
		},
	});
	const rows = [1, 2].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(1);
	assert.deepEqual(
		rows.map(({ state }) => state),
		[1.5, 2.5],
	);
	assert.equal(batcher.stats().onBatchErrors, 2);
	const [warning] = await warned;
	assert.equal(warning.code, "ON_BATCH_THREW");
	assert.match(warning.message, /observer down/);
});

test("an onBatch that rejects is no unhandled rejection", async () => {
	const { clock, batcher } = rig({ onBatch: () => Promise.reject(new Error("observer down")) });
	const row = watch(batcher.submit(1), clock);
	await clock.advance(1);
	assert.equal(row.state, 1.5);
	assert.equal(batcher.stats().onBatchErrors, 1);
});

test("an onBatch may submit and close", async () => {
	const more: Promise<number>[] = [];
	const { clock, batcher } = rig({
		onBatch: ({ batchId }) => {
			if (batchId === 1) more.push(batcher.submit(9));
			if (batchId === 2) more.push(batcher.close().then(() => 0));
		},
	});
	watch(batcher.submit(1), clock);
	await clock.advance(1);
	assert.deepEqual(await Promise.all(more), [9.5, 0]);
});

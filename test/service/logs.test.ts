import assert from "node:assert/strict";
import { test } from "node:test";
import { BatchLog, StampLog } from "batching-lab/service";

const report = (batchId: number) => ({
	batchId,
	size: 1 + (batchId % 65_535),
	reason: "full" as const,
	firstSubmitNs: 9_000_000_000_000_000 + batchId,
	askedWaitNs: 0,
	waitNs: batchId / 2,
	modelNs: batchId / 4,
	dropped: 0,
	failed: 0,
});

test("the batch log grows beyond its first size and keeps every entry in its place", () => {
	const log = new BatchLog();
	for (let batchId = 1; batchId <= 20_000; batchId++) log.add(report(batchId), batchId % 5);
	const columns = log.columns();
	for (const column of Object.values(columns)) assert.equal(column.length, 20_000);
	for (const index of [0, 4095, 4096, 8191, 8192, 19_999]) {
		const batchId = index + 1;
		assert.equal(columns.batchId[index], batchId);
		assert.equal(columns.size[index], 1 + batchId);
		assert.equal(columns.reason[index], batchId % 5);
		assert.equal(columns.firstSubmitNs[index], 9_000_000_000_000_000n + BigInt(batchId));
		assert.equal(columns.waitNs[index], batchId / 2);
		assert.equal(columns.modelNs[index], batchId / 4);
	}
	log.add(report(1), 0);
	assert.equal(columns.batchId.length, 20_000, "columns are copies");
	log.clear();
	assert.equal(log.length, 0);
	assert.equal(log.columns().size.length, 0);
});

test("the stamp log grows too, four moments a request", () => {
	const log = new StampLog();
	const stamps = (request: number) => ({
		handlerStartNs: 10 * request,
		rowReadyNs: 10 * request + 1,
		scoreBackNs: 10 * request + 2,
		replyWrittenNs: 10 * request + 3,
	});
	for (let request = 0; request < 10_000; request++) log.add(stamps(request));
	const { handlerStartNs, rowReadyNs, scoreBackNs, replyWrittenNs } = log.columns();
	for (const request of [0, 4095, 4096, 9999]) {
		assert.equal(handlerStartNs[request], BigInt(10 * request));
		assert.equal(rowReadyNs[request], BigInt(10 * request + 1));
		assert.equal(scoreBackNs[request], BigInt(10 * request + 2));
		assert.equal(replyWrittenNs[request], BigInt(10 * request + 3));
	}
	log.clear();
	assert.equal(log.length, 0);
});

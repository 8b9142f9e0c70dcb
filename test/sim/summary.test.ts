import assert from "node:assert/strict";
import { test } from "node:test";
import { constantArrivals } from "batching-lab/client";
import { simulateQueue, summariseQueue } from "batching-lab/sim";

test("too few answers give no percentile, only what can be said", () => {
	const summary = summariseQueue(
		simulateQueue({
			traffic: { kind: "open", arrivalsNs: Float64Array.of(0, 1e6, 2e6) },
			batcher: { maxBatchSize: 2, maxWaitMs: 2 },
			server: { modelNs: () => 1e6 },
		}),
	);
	// The first two fill a batch at 1 ms; the third waits 2 ms from its own arrival.
	assert.equal(summary.p50Ms, null);
	assert.equal(summary.maxMs, 3);
	assert.equal(summary.meanBatch, 1.5);
	assert.deepEqual(summary.reasons, { full: 1, timer: 1, idle: 0, deadline: 0, drain: 0 });
});

test("a steady stream in exact numbers", () => {
	const arrivalsNs = constantArrivals({ ratePerSecond: 500, seconds: 2, seed: 1 });
	const summary = summariseQueue(
		simulateQueue({
			traffic: { kind: "open", arrivalsNs },
			batcher: "none",
			server: { modelNs: () => 1e6, beforeUs: 250 },
		}),
		2e9,
	);
	assert.deepEqual(summary.outcomes, { answered: 1000, refused: 0, overdue: 0 });
	assert.ok(Math.abs((summary.p99Ms ?? 0) - 1.25) < 1e-6);
	assert.equal(summary.offeredPerSecond, 500);
	assert.equal(summary.keepsUp, true);
	assert.equal(summary.meanBatch, 1);
	assert.ok(Math.abs(summary.utilisation - 0.625) < 0.002);
});

test("refused and overdue requests are counted, and are no latencies", () => {
	const arrivalsNs = constantArrivals({ ratePerSecond: 4000, seconds: 1, seed: 1 });
	const summary = summariseQueue(
		simulateQueue({
			traffic: { kind: "open", arrivalsNs },
			batcher: { maxBatchSize: 1, maxWaitMs: 0, maxQueue: 20, queueDeadlineMs: 15 },
			server: { modelNs: () => 1e6 },
		}),
		1e9,
	);
	const { answered, refused, overdue } = summary.outcomes;
	assert.equal(answered + refused + overdue, 4000);
	assert.ok(refused > 1000 && overdue > 0 && answered > 900);
	assert.equal(summary.keepsUp, false);
	assert.ok((summary.maxMs ?? Number.POSITIVE_INFINITY) <= 17);
});

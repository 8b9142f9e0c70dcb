import assert from "node:assert/strict";
import { test } from "node:test";
import { poissonArrivals } from "batching-lab/client";
import { affineModel, simulateQueue, summariseQueue } from "batching-lab/sim";

const mean = (values: ArrayLike<number>): number =>
	Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

test("one request alone takes exactly its costs", () => {
	const { latencyNs, endNs, busyNs } = simulateQueue({
		traffic: { kind: "open", arrivalsNs: Float64Array.of(5000) },
		batcher: { maxBatchSize: 8, maxWaitMs: 0 },
		server: { modelNs: affineModel({ fixedUs: 80, perRowUs: 20 }), beforeUs: 30, afterUs: 15, perBatchUs: 5 },
	});
	assert.deepEqual([...latencyNs], [150_000]);
	assert.deepEqual([endNs, busyNs], [155_000, 150_000]);
});

for (const load of [0.3, 0.6, 0.8]) {
	test(`at ${load} of its capacity a server without batcher waits as long as an M/D/1 queue`, () => {
		const serviceUs = 200;
		const ratePerSecond = (load * 1e6) / serviceUs;
		const arrivalsNs = poissonArrivals({ ratePerSecond, seconds: 300, seed: 7 });
		const { latencyNs } = simulateQueue({
			traffic: { kind: "open", arrivalsNs },
			batcher: "none",
			// One visit to the core a request, so the queue is first come, first served with one fixed time.
			server: { modelNs: () => serviceUs * 1000 },
		});
		// Pollaczek and Khinchine: the mean wait is ρ / (2 (1 − ρ)) service times.
		const expectedUs = serviceUs * (1 + load / (2 * (1 - load)));
		const seenUs = mean(latencyNs) / 1000;
		assert.ok(Math.abs(seenUs / expectedUs - 1) < 0.02, `${seenUs} µs, theory ${expectedUs} µs`);
	});
}

test("in a closed loop the server gives exactly what its core can", () => {
	const server = { modelNs: affineModel({ fixedUs: 80, perRowUs: 20 }), beforeUs: 60, afterUs: 40 };
	const traffic = { kind: "closed", connections: 16, seconds: 10 } as const;
	const none = summariseQueue(simulateQueue({ traffic, batcher: "none", server }));
	assert.ok(Math.abs(none.answeredPerSecond - 5000) < 10, `${none.answeredPerSecond}/s`);
	const batched = summariseQueue(simulateQueue({ traffic, batcher: { maxBatchSize: 32, maxWaitMs: 0 }, server }));
	// Sixteen rows in one call: 80 + 16 × 20 µs, and 100 µs around each.
	assert.ok(Math.abs(batched.answeredPerSecond - 16e6 / (80 + 320 + 1600)) < 10, `${batched.answeredPerSecond}/s`);
	assert.ok(Math.abs(batched.meanBatch - 16) < 0.01);
});

test("above its capacity the queue grows as long as requests come, and only then", () => {
	const arrivalsNs = poissonArrivals({ ratePerSecond: 2000, seconds: 4, seed: 3 });
	const { latencyNs, endNs } = simulateQueue({
		traffic: { kind: "open", arrivalsNs },
		batcher: "none",
		server: { modelNs: () => 1e6 },
	});
	assert.ok(Math.abs(endNs / 1e6 - arrivalsNs.length) < 5, "one answer a millisecond until the last");
	assert.ok((latencyNs.at(-1) ?? 0) > 3.5e9);
});

test("a model that runs elsewhere leaves the core to the requests", () => {
	const arrivalsNs = poissonArrivals({ ratePerSecond: 1000, seconds: 5, seed: 2 });
	const run = (modelRuns: "core" | "elsewhere") =>
		summariseQueue(
			simulateQueue({
				traffic: { kind: "open", arrivalsNs },
				batcher: { maxBatchSize: 8, maxWaitMs: 0 },
				server: { modelNs: affineModel({ fixedUs: 800, perRowUs: 10 }), beforeUs: 50, afterUs: 50, modelRuns },
			}),
		);
	const [core, elsewhere] = [run("core"), run("elsewhere")];
	assert.ok(elsewhere.utilisation < 0.12 && core.utilisation > 0.4);
	assert.ok((elsewhere.p99Ms ?? 0) < (core.p99Ms ?? 0));
});

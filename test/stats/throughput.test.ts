import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { poissonArrivals } from "batching-lab/client";
import { affineModel, simulateQueue } from "batching-lab/sim";
import { keepsUp, kendallTau, queueBySlice, queueTrend, rates, type Traffic } from "batching-lab/stats";
import fc from "fast-check";
import { queueOf } from "./queue.js";

const SECOND = 1e9;

test("a service that needs 20 s for 8 s of requests answers at the slower rate, and does not keep up", () => {
	const scheduledNs = Float64Array.from({ length: 8000 }, (_, i) => i * 1e6);
	const receivedNs = Float64Array.from({ length: 8000 }, (_, i) => (i + 1) * 2.5e6);
	const found = rates({ scheduledNs, receivedNs, horizonNs: 8 * SECOND });
	assert.deepEqual(found, {
		scheduled: 8000,
		answered: 8000,
		offeredPerSecond: 1000,
		answeredPerSecond: 400,
		keepsUp: false,
	});
});

test("unanswered requests count as offered and not as answered", () => {
	const found = rates({ scheduledNs: [0, 1e8, 2e8, 3e8], receivedNs: [1e6, Number.NaN, 2e8, 3e8], horizonNs: SECOND });
	assert.equal(found.answeredPerSecond, 3);
	assert.equal(found.offeredPerSecond, 4);
});

test("keeping up means at least 95 %, and 95 % exactly is enough", () => {
	assert.equal(keepsUp(950, 1000), true);
	assert.equal(keepsUp(949.9, 1000), false);
	assert.equal(keepsUp(0, 0), true);
});

test("the queue of each slice is the time-average of requests due and not answered", () => {
	const traffic = { scheduledNs: [0, 50], receivedNs: [25, Number.NaN], horizonNs: 100 };
	assert.deepEqual(queueBySlice(traffic, 2), [0.5, 1]);
	assert.deepEqual(queueBySlice(traffic, 4), [1, 0, 1, 1]);
});

test("slices together hold all waiting time, whatever their number", () => {
	const request = fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 3000 }));
	fc.assert(
		fc.property(fc.array(request, { maxLength: 40 }), fc.integer({ min: 1, max: 13 }), (requests, slices) => {
			const scheduledNs = requests.map(([at]) => at);
			const receivedNs = requests.map(([at, stay]) => at + stay);
			const whole = requests.reduce((sum, [at, stay]) => sum + Math.min(1000, at + stay) - at, 0);
			const parts = queueBySlice({ scheduledNs, receivedNs, horizonNs: 1000 }, slices);
			const total = parts.reduce((sum, mean) => sum + (mean * 1000) / slices, 0);
			assert.ok(Math.abs(total - whole) < 1e-6 * (1 + whole));
		}),
	);
});

test("Kendall's tau is 1 for a rise, -1 for a fall, and a third for two of three pairs", () => {
	assert.equal(kendallTau([1, 2, 3, 4]), 1);
	assert.equal(kendallTau([4, 3, 2, 1]), -1);
	assert.ok(Math.abs(kendallTau([1, 3, 2]) - 1 / 3) < 1e-12);
});

test("27 of 45 is a rise that ten independent numbers show in 0.83 % of cases", () => {
	// The number of orders of n things with a given number of inversions, by the usual recursion.
	let orders = [1];
	for (let n = 2; n <= 10; n++) {
		const next = new Array<number>(orders.length + n - 1).fill(0);
		orders.forEach((count, inversions) => {
			for (let more = 0; more < n; more++) next[inversions + more] = (next[inversions + more] ?? 0) + count;
		});
		orders = next;
	}
	const all = orders.reduce((sum, count) => sum + count, 0);
	const rare = orders.slice(0, (45 - 27) / 2 + 1).reduce((sum, count) => sum + count, 0);
	assert.equal((rare / all).toFixed(4), "0.0083");
});

const RUNS = 100;

/** In how many of 100 runs the queue is called growing, and in how many the service keeps up. */
function verdicts(make: (seed: number) => Traffic) {
	let [growing, keeping] = [0, 0];
	for (let seed = 1; seed <= RUNS; seed++) {
		const traffic = make(seed);
		if (queueTrend(traffic).growing) growing++;
		if (rates(traffic).keepsUp) keeping++;
	}
	return { growing, keeping };
}

for (const [load, growing, keeping] of [
	[0.8, [0, 2], [99, 100]],
	[0.9, [0, 9], [98, 100]],
	[0.95, [0, 17], [94, 100]],
	[1, [25, 50], [76, 100]],
	[1.05, [66, 100], [30, 65]],
	[1.25, [100, 100], [0, 0]],
] as const) {
	const within = (count: number, [least, most]: readonly [number, number]) => count >= least && count <= most;

	test(`at a load of ${load} a queue is called growing, and keeps up, as often as stated`, () => {
		for (const service of ["fixed", "random"] as const) {
			const found = verdicts((seed) => queueOf(2000, load, seededRandom(seed), service));
			assert.ok(within(found.growing, growing) && within(found.keeping, keeping), JSON.stringify(found));
		}
	});

	test(`at ${load} of its saturation the workbook's own service is judged alike, with and without a batcher`, () => {
		// 198 µs a request alone; 116 µs and a share of the fixed 82 µs in a full batch of 32.
		for (const [batcher, perSecond] of [
			["none", 1e6 / 198],
			[{ maxBatchSize: 32, maxWaitMs: 0 }, 1e6 / (116 + 82 / 32)],
		] as const) {
			const found = verdicts((seed) => {
				const arrivalsNs = poissonArrivals({ ratePerSecond: load * perSecond, seconds: 0.5, seed });
				const server = { modelNs: affineModel({ fixedUs: 82, perRowUs: 16 }), beforeUs: 60, afterUs: 40 };
				const { arrivedNs, answeredNs } = simulateQueue({ traffic: { kind: "open", arrivalsNs }, batcher, server });
				return { scheduledNs: arrivedNs, receivedNs: answeredNs, horizonNs: SECOND / 2 };
			});
			assert.ok(within(found.growing, growing) && within(found.keeping, keeping), JSON.stringify(found));
		}
	});
}

test("a queue that grows by 4 % of the arrivals keeps up by the rule, and is still seen to grow", () => {
	const scheduledNs = Float64Array.from({ length: 8000 }, (_, i) => i * 1e6);
	const receivedNs = scheduledNs.map((at) => at * 1.04 + 1e6);
	const traffic = { scheduledNs, receivedNs, horizonNs: 8 * SECOND };
	assert.equal(rates(traffic).keepsUp, true);
	assert.equal(queueTrend(traffic).growing, true);
});

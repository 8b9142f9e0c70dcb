import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { arrivalsBefore, clumps } from "batching-lab/stats";
import fc from "fast-check";
import { queueOf } from "./queue.js";

test("arrivals in the window before each request, itself left out", () => {
	assert.deepEqual([...arrivalsBefore([0, 1, 2, 3, 10, 13], 3)], [0, 1, 2, 3, 0, 1]);
});

test("the moving window counts what a count from scratch counts", () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 100 })), fc.integer({ min: 0, max: 20 }), (list, windowNs) => {
			const ascending = [...list].sort((a, b) => a - b);
			const expected = ascending.map((at, i) => ascending.filter((other, j) => j < i && other >= at - windowNs).length);
			assert.deepEqual([...arrivalsBefore(ascending, windowNs)], expected);
		}),
	);
});

test("Poisson arrivals at 549 a second have 1.65 others in the 3 ms before them, as in the lesson", () => {
	const random = seededRandom(2);
	let at = 0;
	const arrivals = Float64Array.from({ length: 100_000 }, () => (at += (-Math.log(1 - random()) / 549) * 1e9));
	const mean = arrivalsBefore(arrivals, 3e6).reduce((sum, count) => sum + count, 0) / arrivals.length;
	assert.ok(Math.abs(mean - 1.647) < 0.03, `${mean}`);
});

test("in a queue the slowest requests came in clumps", () => {
	const { scheduledNs, receivedNs } = queueOf(20_000, 0.5, seededRandom(4));
	const latencyNs = Float64Array.from(receivedNs).map((at, i) => at - (scheduledNs[i] ?? 0));
	const found = clumps(scheduledNs, latencyNs);
	assert.ok(found.slowest > 2 * found.all);
	assert.ok(found.slowestCount <= 200 && found.slowestCount > 150);
});

test("latencies that have nothing to do with arrivals show no clumps", () => {
	const random = seededRandom(6);
	const { scheduledNs } = queueOf(50_000, 0.5, random);
	const found = clumps(scheduledNs, Float64Array.from({ length: 50_000 }, random));
	assert.ok(Math.abs(found.slowest / found.all - 1) < 0.15);
});

test("unanswered requests are arrivals, but neither slow nor fast", () => {
	const latencyNs = new Float64Array(200).fill(1).map((_, i) => (i % 2 ? Number.NaN : i));
	const found = clumps(
		Float64Array.from({ length: 200 }, (_, i) => i * 1e6),
		latencyNs,
	);
	assert.equal(found.slowestCount, 1);
	assert.equal(found.slowest, 3);
	assert.throws(() => clumps([0], [Number.NaN]), { code: "NO_SAMPLES" });
});

test("arrivals out of order are refused", () => {
	assert.throws(() => arrivalsBefore([2, 1], 1), { code: "NOT_SORTED", message: /arrival 1/ });
});

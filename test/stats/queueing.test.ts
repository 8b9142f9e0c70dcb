import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { countUpTo, inSystemAt, littlesLaw, utilisation } from "batching-lab/stats";
import fc from "fast-check";
import { queueOf } from "./queue.js";

test("400 requests a second that stay 25 ms are 10 at once", () => {
	assert.equal(littlesLaw(400, 25), 10);
	assert.throws(() => littlesLaw(-1, 2), { code: "BAD_NUMBER", message: /ratePerSecond.*got -1/ });
});

test("1,000 answers a second of 910 µs keep 91 % of a core busy", () => {
	assert.equal(utilisation(1000, 910), 0.91);
});

test("Little's law holds on a simulated queue, counted moment by moment", () => {
	const traffic = queueOf(200_000, 0.8, seededRandom(3));
	const random = seededRandom(8);
	const moments = Array.from({ length: 4000 }, () => random() * traffic.horizonNs);
	const counted = inSystemAt(traffic, moments).reduce((sum, value) => sum + value, 0) / moments.length;
	let totalMs = 0;
	for (let i = 0; i < 200_000; i++) totalMs += ((traffic.receivedNs[i] ?? 0) - (traffic.scheduledNs[i] ?? 0)) / 1e6;
	const law = littlesLaw(200_000 / (traffic.horizonNs / 1e9), totalMs / 200_000);
	assert.ok(Math.abs(counted / law - 1) < 0.08, `counted ${counted}, law ${law}`);
});

test("a request is inside from the moment it is due until its answer; without one it stays", () => {
	const traffic = { scheduledNs: [0, 5, 10], receivedNs: [7, Number.NaN, 12] };
	assert.deepEqual(inSystemAt(traffic, [-1, 0, 6, 7, 10, 12, 99]), [0, 1, 2, 1, 2, 1, 1]);
});

test("counting by halves equals counting one by one", () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (list, limit) => {
			const ascending = [...list].sort((a, b) => a - b);
			assert.equal(countUpTo(ascending, limit), list.filter((value) => value <= limit).length);
		}),
	);
});

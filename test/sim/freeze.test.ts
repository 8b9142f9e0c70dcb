import assert from "node:assert/strict";
import { test } from "node:test";
import { constantArrivals } from "batching-lab/client";
import { simulateQueue } from "batching-lab/sim";

const server = { modelNs: () => 1e6 };
const freezes = [{ fromMs: 5000, toMs: 6000 }];
const slow = (latencyNs: Float64Array): number => latencyNs.filter((ns) => ns > 100e6).length;

test("an open loop shows a freeze: everybody who came during it waited for its end", () => {
	const arrivalsNs = constantArrivals({ ratePerSecond: 100, seconds: 10, seed: 1 });
	const { latencyNs } = simulateQueue({ traffic: { kind: "open", arrivalsNs }, batcher: "none", server, freezes });
	// 100 came while it stood still, and those of the last 0.1 s waited less than that.
	assert.ok(Math.abs(slow(latencyNs) - 100) <= 12, `${slow(latencyNs)} slow requests`);
	assert.ok(Math.max(...latencyNs) > 990e6);
});

test("a closed loop hides it: one slow request a connection, the others were never sent", () => {
	const traffic = { kind: "closed", connections: 4, seconds: 10 } as const;
	const { latencyNs } = simulateQueue({ traffic, batcher: "none", server, freezes });
	assert.equal(slow(latencyNs), 4);
	assert.ok(latencyNs.length > 8000);
});

test("work that a freeze falls into takes that much longer", () => {
	const { answeredNs } = simulateQueue({
		traffic: { kind: "open", arrivalsNs: Float64Array.of(9.5e6) },
		batcher: { maxBatchSize: 1, maxWaitMs: 0 },
		server,
		freezes: [{ fromMs: 10, toMs: 40 }],
	});
	assert.deepEqual([...answeredNs], [40.5e6]);
});

test("a request that comes during a freeze starts when it is over; several freezes add up", () => {
	const { answeredNs, busyNs } = simulateQueue({
		traffic: { kind: "open", arrivalsNs: Float64Array.of(15e6, 62e6) },
		batcher: { maxBatchSize: 8, maxWaitMs: 0 },
		server,
		freezes: [
			{ fromMs: 60, toMs: 70 },
			{ fromMs: 10, toMs: 20 },
			{ fromMs: 20.5, toMs: 30 },
		],
	});
	assert.deepEqual([...answeredNs], [30.5e6, 71e6]);
	assert.equal(busyNs, 2e6);
});

for (const [fromMs, toMs] of [
	[5, 5],
	[9, 3],
	[-1, 4],
	[1, Number.POSITIVE_INFINITY],
] as const) {
	test(`a freeze from ${fromMs} to ${toMs} is refused`, () => {
		assert.throws(
			() =>
				simulateQueue({
					traffic: { kind: "closed", connections: 1, seconds: 1 },
					batcher: "none",
					server,
					freezes: [{ fromMs, toMs }],
				}),
			{ code: "BAD_FREEZE", message: new RegExp(`got ${fromMs} to ${toMs} ms`) },
		);
	});
}

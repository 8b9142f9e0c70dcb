import assert from "node:assert/strict";
import { test } from "node:test";
import { affineModel, measuredModel, type SimulateOptions, simulateQueue } from "batching-lab/sim";

test("an affine model is a + b · n", () => {
	const modelNs = affineModel({ fixedUs: 82, perRowUs: 16 });
	assert.deepEqual([1, 2, 32].map(modelNs), [98_000, 114_000, 594_000]);
});

test("a measured model goes through its points, straight between them, and on at the last slope", () => {
	const modelNs = measuredModel({ 32: 600, 1: 100, 8: 240 });
	assert.deepEqual([1, 8, 32].map(modelNs), [100_000, 240_000, 600_000]);
	assert.equal(modelNs(4), 160_000);
	assert.equal(modelNs(16), 360_000);
	assert.equal(modelNs(48), 840_000);
});

test("a measured model of one size takes that long always", () => {
	const modelNs = measuredModel({ 8: 240 });
	assert.deepEqual([1, 8, 64].map(modelNs), [240_000, 240_000, 240_000]);
});

test("what cannot be a cost is refused by name", () => {
	assert.throws(() => affineModel({ fixedUs: -1, perRowUs: 2 }), { code: "BAD_COST", message: /fixedUs .* got -1/ });
	assert.throws(() => measuredModel({}), { code: "BAD_COST" });
	assert.throws(() => measuredModel({ 1: Number.NaN }), { code: "BAD_COST", message: /call of 1 rows .* NaN/ });
	assert.throws(() => measuredModel({ "1.5": 3 }), { code: "BAD_COST", message: /got 1\.5/ });
});

const base: SimulateOptions = {
	traffic: { kind: "closed", connections: 1, seconds: 1 },
	batcher: "none",
	server: { modelNs: () => 1e6 },
};
const refused: readonly [string, SimulateOptions][] = [
	["BAD_COST", { ...base, server: { ...base.server, beforeUs: Number.NaN } }],
	["BAD_SETTING", { ...base, batcher: { maxBatchSize: 0, maxWaitMs: 0 } }],
	["BAD_SETTING", { ...base, batcher: { maxBatchSize: 8, maxWaitMs: Number.POSITIVE_INFINITY } }],
	["BAD_ARRIVALS", { ...base, traffic: { kind: "open", arrivalsNs: Float64Array.of(2, 1) } }],
	["BAD_ARRIVALS", { ...base, traffic: { kind: "open", arrivalsNs: Float64Array.of(0, Number.NaN) } }],
	["BAD_CONNECTIONS", { ...base, traffic: { kind: "closed", connections: 0, seconds: 1 } }],
	["BAD_CLOSED_LOOP", { ...base, traffic: { kind: "closed", connections: 1, seconds: 0 } }],
	["NO_TIME_PASSES", { ...base, server: { modelNs: () => 0 } }],
];
for (const [code, options] of refused) {
	test(`refused with ${code}: ${JSON.stringify(options)}`, () => {
		assert.throws(() => simulateQueue(options), { name: "CodedError", code });
	});
}

test("no requests, no history", () => {
	const { arrivedNs, batches, endNs } = simulateQueue({
		...base,
		traffic: { kind: "open", arrivalsNs: new Float64Array() },
	});
	assert.deepEqual([arrivedNs.length, batches.size.length, endNs], [0, 0, 0]);
});

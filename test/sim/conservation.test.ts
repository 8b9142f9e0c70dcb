import assert from "node:assert/strict";
import { test } from "node:test";
import { FLUSH_REASONS } from "batching-lab/batcher";
import { affineModel, SIM_OUTCOMES, type SimulateOptions, simulateQueue } from "batching-lab/sim";
import fc from "fast-check";

const us = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const anyRun: fc.Arbitrary<SimulateOptions> = fc
	.record({
		traffic: fc.oneof(
			fc.array(us(20_000), { maxLength: 80 }).map((arrivals) => ({
				kind: "open" as const,
				arrivalsNs: Float64Array.from(arrivals, (each) => each * 1000).sort(),
			})),
			fc.record({
				kind: fc.constant("closed" as const),
				connections: fc.integer({ min: 1, max: 9 }),
				seconds: fc.constant(0.01),
				thinkUs: us(500),
			}),
		),
		maxBatchSize: fc.integer({ min: 1, max: 6 }),
		maxWaitMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3, noNaN: true })),
		maxQueue: fc.integer({ min: 6, max: 20 }),
		queueDeadlineMs: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.double({ min: 0.1, max: 5, noNaN: true })),
		none: fc.boolean(),
		costs: fc.record({
			fixedUs: us(900),
			perRowUs: us(50),
			beforeUs: us(80),
			afterUs: fc.integer({ min: 1, max: 80 }),
			perBatchUs: us(20),
		}),
		modelRuns: fc.constantFrom("core" as const, "elsewhere" as const),
		freeze: fc.boolean(),
	})
	.map(({ traffic, none, costs, modelRuns, freeze, ...batcher }) => ({
		traffic,
		batcher: none ? ("none" as const) : batcher,
		server: { ...costs, modelNs: affineModel({ fixedUs: costs.fixedUs + 10, perRowUs: costs.perRowUs }), modelRuns },
		freezes: freeze ? [{ fromMs: 2, toMs: 9 }] : [],
	}));

test("any run: every request ends exactly once, after its arrival; no batch is empty or above B", () => {
	fc.assert(
		fc.property(anyRun, (options) => {
			const { arrivedNs, answeredNs, latencyNs, outcome, batchId, batches, endNs, busyNs } = simulateQueue(options);
			if (options.traffic.kind === "open") assert.deepEqual(arrivedNs, options.traffic.arrivalsNs);
			const inBatch = new Array<number>(batches.size.length + 1).fill(0);
			for (const [request, atNs] of answeredNs.entries()) {
				assert.ok(atNs >= (arrivedNs[request] ?? Number.NaN), "answered after its arrival, and at all");
				assert.equal(latencyNs[request], atNs - (arrivedNs[request] ?? Number.NaN));
				const id = batchId[request] ?? -1;
				inBatch[id] = (inBatch[id] ?? 0) + 1;
				const left = SIM_OUTCOMES[outcome[request] ?? -1] === "answered" && options.batcher !== "none";
				assert.equal(id > 0, left);
			}
			assert.deepEqual(inBatch.slice(1), [...batches.size]);
			const most = options.batcher === "none" ? 1 : options.batcher.maxBatchSize;
			for (const [i, size] of batches.size.entries()) {
				assert.ok(size >= 1 && size <= most);
				const reason = FLUSH_REASONS[batches.reason[i] ?? -1];
				assert.equal(reason === "full", size === most);
				assert.ok((batches.leftNs[i] ?? 0) >= (batches.firstSubmitNs[i] ?? Number.NaN));
				assert.ok((batches.modelNs[i] ?? 0) > 0);
			}
			assert.ok(busyNs <= endNs + 1e-6 && [...answeredNs].every((atNs) => atNs <= endNs));
		}),
		{ numRuns: 300 },
	);
});

test("any run, made twice, is the same to the bit", () => {
	fc.assert(
		fc.property(anyRun, (options) => {
			assert.deepEqual(simulateQueue(options), simulateQueue(options));
		}),
		{ numRuns: 50 },
	);
});

test("any run with W: an unfilled batch waited W, unless a deadline came first", () => {
	fc.assert(
		fc.property(anyRun, (options) => {
			if (options.batcher === "none" || options.batcher.maxWaitMs === 0) return;
			const { batches } = simulateQueue(options);
			for (const [i, reason] of batches.reason.entries()) {
				const waitedMs = ((batches.leftNs[i] ?? 0) - (batches.firstSubmitNs[i] ?? 0)) / 1e6;
				if (FLUSH_REASONS[reason] === "timer") assert.ok(waitedMs >= options.batcher.maxWaitMs - 1e-9);
			}
		}),
		{ numRuns: 100 },
	);
});

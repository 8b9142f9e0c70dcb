import assert from "node:assert/strict";
import { test } from "node:test";
import { longestWaitMs, MicroBatcher, VirtualClock } from "batching-lab/batcher";
import fc from "fast-check";

const terms = fc
	.record({
		maxBatchSize: fc.integer({ min: 1, max: 5 }),
		maxWaitMs: fc.integer({ min: 0, max: 12 }),
		spare: fc.integer({ min: 0, max: 12 }),
		maxInFlight: fc.integer({ min: 1, max: 3 }),
		modelMs: fc.integer({ min: 1, max: 6 }),
		arrivalsMs: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 80 }),
		/** How much of modelMs each call takes, in turn. */
		speeds: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 10 }),
	})
	.map(({ spare, ...rest }) => ({ ...rest, maxQueue: rest.maxBatchSize + spare }));

test("no accepted row waits longer than the contract says", async () => {
	await fc.assert(
		fc.asyncProperty(terms, async ({ arrivalsMs, speeds, modelMs, ...options }) => {
			const clock = new VirtualClock();
			const longestMs = longestWaitMs({ ...options, modelMs });
			let call = 0;
			let longestSeenMs = 0;
			const batcher = new MicroBatcher<number, number>(
				async (submittedMs) => {
					for (const ms of submittedMs) longestSeenMs = Math.max(longestSeenMs, clock.nowMs - ms);
					await clock.sleep(modelMs * (speeds[call++ % speeds.length] ?? 1));
					return submittedMs;
				},
				{ clock, ...options },
			);
			const rows: Promise<unknown>[] = [];
			for (const ms of arrivalsMs) {
				clock.at(ms, () => {
					const row = batcher.submit(clock.nowMs);
					rows.push(row.catch((error: unknown) => assert.match(String(error), /maxQueue/)));
				});
			}
			await clock.runAll();
			await Promise.all(rows);
			assert.ok(longestSeenMs <= longestMs + 1e-6, `${longestSeenMs} ms > ${longestMs} ms`);
		}),
		{ numRuns: 150 },
	);
});

test("the contract is tight: there are arrivals whose last row waits exactly that long", async () => {
	for (const [maxBatchSize, maxWaitMs, maxQueue, maxInFlight] of [
		[2, 0, 6, 1],
		[2, 3, 6, 1],
		[3, 0, 7, 1],
		[1, 0, 5, 2],
		[4, 90, 8, 1],
	] as const) {
		const clock = new VirtualClock();
		const options = { maxBatchSize, maxWaitMs, maxQueue, maxInFlight };
		let longestSeenMs = 0;
		const batcher = new MicroBatcher<number, number>(
			async (submittedMs) => {
				for (const ms of submittedMs) longestSeenMs = Math.max(longestSeenMs, clock.nowMs - ms);
				await clock.sleep(10);
				return submittedMs;
			},
			{ clock, ...options },
		);
		const rows: Promise<number>[] = [];
		const submit = (count: number): void => {
			for (let i = 0; i < count; i++) rows.push(batcher.submit(clock.nowMs));
		};
		// First fill every place of the model, then, in the same moment, the queue; W long: one lonely row.
		if (maxWaitMs < 10) {
			submit(maxBatchSize * maxInFlight);
			await clock.advance(0);
			submit(maxQueue);
		} else {
			submit(1);
		}
		await clock.advance(1000);
		await Promise.all(rows);
		assert.equal(longestSeenMs, longestWaitMs({ ...options, modelMs: 10 }));
	}
});

test("the formula in numbers", () => {
	assert.equal(longestWaitMs({ maxBatchSize: 32, maxWaitMs: 2, maxQueue: 256, modelMs: 5 }), 40);
	assert.equal(longestWaitMs({ maxBatchSize: 32, maxWaitMs: 2, maxQueue: 257, modelMs: 5 }), 45);
	assert.equal(longestWaitMs({ maxBatchSize: 32, maxWaitMs: 50, maxQueue: 256, modelMs: 5 }), 50);
	assert.equal(longestWaitMs({ maxBatchSize: 32, maxWaitMs: 2, maxQueue: 256, maxInFlight: 4, modelMs: 5 }), 10);
});

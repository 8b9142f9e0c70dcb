import assert from "node:assert/strict";
import { test } from "node:test";
import { rig, watch } from "./harness.js";

test("a full queue rejects at once, and rows in the model do not count", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 2, maxQueue: 3, modelMs: 10 });
	const first = [1, 2].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(1);
	const waiting = [3, 4, 5].map((row) => watch(batcher.submit(row), clock));
	const refused = watch(batcher.submit(6), clock);
	await clock.advance(0);
	assert.equal(refused.state, "QUEUE_FULL");
	assert.equal(refused.atMs, 1);
	await clock.advance(100);
	assert.deepEqual(
		[...first, ...waiting].map(({ state }) => state),
		[1.5, 2.5, 3.5, 4.5, 5.5],
	);
	assert.equal(calls.flatMap(({ rows }) => rows).includes(6), false);
	assert.deepEqual(batcher.stats().rejected, { queueFull: 1, closed: 0, stuck: 0 });
});

test("the error says how full the queue is and what to do", async () => {
	const { batcher } = rig({ maxBatchSize: 1, maxQueue: 1, maxWaitMs: 5 });
	const waiting = batcher.submit(1);
	await assert.rejects(batcher.submit(2), {
		name: "BatcherError",
		code: "QUEUE_FULL",
		message: "1 rows wait already, maxQueue is 1",
		hint: /503/,
	});
	await batcher.close({ discard: true });
	await assert.rejects(waiting, { code: "CLOSED" });
});

test("a given-up row makes room", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, maxQueue: 2, modelMs: 10 });
	watch(batcher.submit(0), clock);
	await clock.advance(1);
	const controller = new AbortController();
	watch(batcher.submit(1, { signal: controller.signal }), clock);
	watch(batcher.submit(2), clock);
	controller.abort();
	const third = watch(batcher.submit(3), clock);
	await clock.advance(100);
	assert.equal(third.state, 3.5);
});

test("an overdue row makes room, even before the alarm has told it", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 1, maxQueue: 1, queueDeadlineMs: 5, modelMs: 10 });
	watch(batcher.submit(0), clock);
	await clock.advance(1);
	const late = watch(batcher.submit(1), clock);
	await clock.advance(5);
	// Deadline and this row meet in the same moment; the alarm is set for the nanosecond after.
	const refused = watch(batcher.submit(2), clock);
	await clock.advance(0.000_001);
	assert.equal(refused.state, "QUEUE_FULL");
	assert.equal(late.state, "QUEUE_DEADLINE");
	const accepted = watch(batcher.submit(3), clock);
	await clock.advance(50);
	assert.equal(accepted.state, 3.5);
});

test("a queue that is flooded with given-up rows stays in order and loses nobody", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 4, maxQueue: 100, modelMs: 10 });
	watch(batcher.submit(-1), clock);
	await clock.advance(1);
	const kept: number[] = [];
	for (let row = 0; row < 5000; row++) {
		const controller = new AbortController();
		watch(batcher.submit(row, { signal: controller.signal }), clock);
		if (row % 100 === 7) kept.push(row);
		else controller.abort();
	}
	assert.equal(batcher.stats().waiting, 50);
	await clock.advance(1000);
	assert.deepEqual(
		calls.slice(1).flatMap(({ rows }) => rows),
		kept,
	);
});

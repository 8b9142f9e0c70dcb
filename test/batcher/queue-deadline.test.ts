import assert from "node:assert/strict";
import { test } from "node:test";
import { rig, watch } from "./harness.js";

test("a row past the queue's deadline is told at once and never reaches the model", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 1, queueDeadlineMs: 4, modelMs: 10 });
	watch(batcher.submit(1), clock);
	await clock.advance(1);
	const late = watch(batcher.submit(2), clock);
	await clock.advance(3.9);
	assert.equal(late.state, "pending");
	await clock.advance(0.2);
	assert.equal(late.state, "QUEUE_DEADLINE");
	assert.equal(late.atMs, 5.000_001);
	await clock.advance(50);
	watch(batcher.submit(3), clock);
	await clock.advance(50);
	assert.deepEqual(
		calls.map(({ rows }) => rows),
		[[1], [3]],
	);
	assert.equal(batcher.stats().overdue, 1);
	assert.deepEqual(
		reports.map(({ dropped }) => dropped),
		[0, 1],
	);
});

test("a request may shorten the deadline", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 1, queueDeadlineMs: 8, modelMs: 10 });
	watch(batcher.submit(1), clock);
	await clock.advance(1);
	const patient = watch(batcher.submit(2), clock);
	const hasty = watch(batcher.submit(3, { deadlineMs: 2 }), clock);
	await clock.advance(20);
	assert.equal(hasty.state, "QUEUE_DEADLINE");
	assert.equal(hasty.atMs, 3.000_001);
	assert.equal(patient.atMs, 9.000_001);
});

test("a request may not lengthen it", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 1, queueDeadlineMs: 3, modelMs: 10 });
	watch(batcher.submit(1), clock);
	await clock.advance(1);
	const greedy = watch(batcher.submit(2, { deadlineMs: 1000 }), clock);
	await clock.advance(20);
	assert.equal(greedy.state, "QUEUE_DEADLINE");
	assert.equal(greedy.atMs, 4.000_001);
});

test("at the deadline itself a row may still leave", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 1, queueDeadlineMs: 10, modelMs: 10 });
	watch(batcher.submit(1), clock);
	const onTime = watch(batcher.submit(2), clock);
	await clock.advance(30);
	assert.deepEqual(calls[1], { atMs: 10, rows: [2] });
	assert.equal(onTime.state, 2.5);
});

test("a deadline only counts in the queue: a row in the model keeps its place", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 1, queueDeadlineMs: 5, modelMs: 50 });
	const slow = watch(batcher.submit(1), clock);
	await clock.advance(100);
	assert.equal(slow.state, 1.5);
	assert.equal(slow.atMs, 50);
});

test("deadlines in any order are each kept to the moment", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 1, modelMs: 100 });
	watch(batcher.submit(0), clock);
	await clock.advance(1);
	const deadlines = [30, 10, 20, 40, 15];
	const rows = deadlines.map((deadlineMs, row) => watch(batcher.submit(row, { deadlineMs }), clock));
	await clock.advance(60);
	assert.deepEqual(
		rows.map(({ atMs }) => atMs),
		deadlines.map((deadlineMs) => 1 + deadlineMs + 0.000_001),
	);
	assert.ok(rows.every(({ state }) => state === "QUEUE_DEADLINE"));
});

for (const deadlineMs of [0, -1, Number.NaN]) {
	test(`a deadline of ${deadlineMs} ms is refused by name`, async () => {
		const { batcher } = rig();
		await assert.rejects(batcher.submit(1, { deadlineMs }), { code: "BAD_OPTION", message: /deadlineMs must be/ });
		assert.equal(batcher.stats().submitted, 0);
	});
}

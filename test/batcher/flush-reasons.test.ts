import assert from "node:assert/strict";
import { test } from "node:test";
import { rig, watch } from "./harness.js";

test("full: B rows leave at once, the next rows wait for their own", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 4, maxWaitMs: 10 });
	const outcomes = [1, 2, 3, 4, 5].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(0);
	assert.deepEqual(calls, [{ atMs: 0, rows: [1, 2, 3, 4] }]);
	assert.deepEqual(
		outcomes.map(({ state }) => state),
		[1.5, 2.5, 3.5, 4.5, "pending"],
	);
	await clock.advance(10);
	assert.deepEqual(calls[1], { atMs: 10, rows: [5] });
	assert.deepEqual(
		reports.map(({ reason }) => reason),
		["full", "timer"],
	);
});

test("timer: the wait counts from the first row, and a second row does not restart it", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 8, maxWaitMs: 2 });
	watch(batcher.submit(1), clock);
	await clock.advance(1.5);
	watch(batcher.submit(2), clock);
	await clock.advance(0.499_999);
	assert.deepEqual(calls, []);
	await clock.advance(0.000_001);
	assert.deepEqual(calls, [{ atMs: 2, rows: [1, 2] }]);
	assert.equal(reports[0]?.reason, "timer");
	assert.equal(reports[0]?.waitNs, 2e6);
});

test("timer: a row that waited W while the model was busy leaves as soon as the model is free", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 2, maxWaitMs: 2, modelMs: 10 });
	watch(batcher.submit(1), clock);
	watch(batcher.submit(2), clock);
	await clock.advance(1);
	watch(batcher.submit(3), clock);
	await clock.advance(30);
	assert.deepEqual(calls[1], { atMs: 10, rows: [3] });
	assert.equal(reports[1]?.reason, "timer");
	assert.equal(reports[1]?.waitNs, 9e6);
});

test("timer: a row that came late while the model was busy still gets its own whole wait", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 2, maxWaitMs: 5, modelMs: 10 });
	watch(batcher.submit(1), clock);
	watch(batcher.submit(2), clock);
	await clock.advance(8);
	watch(batcher.submit(3), clock);
	await clock.advance(30);
	assert.deepEqual(calls[1], { atMs: 13, rows: [3] });
});

test("idle: with W = 0 nothing waits for a timer, and what gathered while the model ran goes next", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 8, modelMs: 3 });
	watch(batcher.submit(1), clock);
	await clock.advance(1);
	for (const row of [2, 3, 4]) watch(batcher.submit(row), clock);
	await clock.advance(10);
	assert.deepEqual(calls, [
		{ atMs: 0, rows: [1] },
		{ atMs: 3, rows: [2, 3, 4] },
	]);
	assert.deepEqual(
		reports.map(({ reason }) => reason),
		["idle", "idle"],
	);
});

test("idle: more than B rows at once leave in batches of B, the last one smaller", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 2, modelMs: 1 });
	for (const row of [1, 2, 3, 4, 5]) watch(batcher.submit(row), clock);
	await clock.advance(10);
	assert.deepEqual(
		calls.map(({ rows }) => rows),
		[[1, 2], [3, 4], [5]],
	);
	assert.deepEqual(
		reports.map(({ reason }) => reason),
		["full", "full", "idle"],
	);
});

test("deadline: a row whose own deadline comes before W ends takes its batch along", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 8, maxWaitMs: 10 });
	watch(batcher.submit(1), clock);
	await clock.advance(1);
	const urgent = watch(batcher.submit(2, { deadlineMs: 3 }), clock);
	await clock.advance(20);
	assert.deepEqual(calls, [{ atMs: 4, rows: [1, 2] }]);
	assert.equal(reports[0]?.reason, "deadline");
	assert.equal(urgent.state, 2.5);
});

test("deadline: once the urgent row has been given up, its batch waits for W again", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 8, maxWaitMs: 10 });
	const controller = new AbortController();
	watch(batcher.submit(1), clock);
	watch(batcher.submit(2, { deadlineMs: 3, signal: controller.signal }), clock);
	controller.abort();
	await clock.advance(20);
	assert.deepEqual(calls, [{ atMs: 10, rows: [1] }]);
	assert.equal(reports[0]?.reason, "timer");
});

test("drain: what waits leaves without waiting for company", async () => {
	const { clock, batcher, calls, reports } = rig({ maxBatchSize: 8, maxWaitMs: 1000 });
	watch(batcher.submit(1), clock);
	const drained = watch(batcher.drain(), clock);
	await clock.advance(0);
	assert.deepEqual(calls, [{ atMs: 0, rows: [1] }]);
	assert.equal(reports[0]?.reason, "drain");
	assert.equal(drained.times, 1);
});

test("B = 1 sends every row by itself, whatever W says", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 1, maxWaitMs: 50 });
	for (const row of [1, 2, 3]) watch(batcher.submit(row), clock);
	await clock.advance(0);
	assert.deepEqual(
		calls.map(({ rows }) => rows),
		[[1], [2], [3]],
	);
});

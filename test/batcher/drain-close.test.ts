import assert from "node:assert/strict";
import { test } from "node:test";
import { rig, watch } from "./harness.js";

test("drain resolves when every row accepted before it is settled, and accepts more meanwhile", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, maxWaitMs: 50, modelMs: 10 });
	for (const row of [1, 2, 3]) watch(batcher.submit(row), clock);
	const drained = watch(batcher.drain(), clock);
	await clock.advance(25);
	assert.equal(drained.atMs, 20);
	const later = watch(batcher.submit(4), clock);
	await clock.advance(49);
	// The drain is over: this row waits for its own W again.
	assert.equal(later.state, "pending");
	await clock.advance(20);
	assert.equal(later.state, 4.5);
});

test("rows that keep coming do not keep a drain from ending", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, modelMs: 10 });
	watch(batcher.submit(0), clock);
	for (let ms = 1; ms < 200; ms++) clock.at(ms, () => watch(batcher.submit(ms), clock));
	await clock.advance(5);
	const drained = watch(batcher.drain(), clock);
	await clock.advance(50);
	assert.equal(drained.times, 1);
});

test("drain of an empty batcher resolves at once, and several drains all resolve", async () => {
	const { clock, batcher } = rig({ modelMs: 5 });
	await batcher.drain();
	watch(batcher.submit(1), clock);
	const first = watch(batcher.drain(), clock);
	await clock.advance(1);
	watch(batcher.submit(2), clock);
	const second = watch(batcher.drain(), clock);
	await clock.advance(20);
	assert.deepEqual([first.atMs, second.atMs], [5, 10]);
});

test("close answers what was accepted and refuses what comes later", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 2, maxWaitMs: 1000, modelMs: 10 });
	const rows = [1, 2, 3].map((row) => watch(batcher.submit(row), clock));
	const closed = watch(batcher.close(), clock);
	const refused = watch(batcher.submit(4), clock);
	const many = watch(batcher.submitMany([5, 6]), clock);
	await clock.advance(100);
	assert.deepEqual(
		rows.map(({ state }) => state),
		[1.5, 2.5, 3.5],
	);
	assert.equal(closed.atMs, 20);
	assert.deepEqual([refused.state, many.state], ["CLOSED", "CLOSED"]);
	assert.equal(batcher.stats().rejected.closed, 3);
	assert.equal(batcher.closed, true);
});

test("close during a batch waits for it", async () => {
	const { clock, batcher } = rig({ modelMs: 10 });
	const row = watch(batcher.submit(1), clock);
	await clock.advance(4);
	const closed = watch(batcher.close(), clock);
	await clock.advance(1);
	assert.equal(closed.times, 0);
	await clock.advance(10);
	assert.deepEqual([row.state, row.atMs, closed.atMs], [1.5, 10, 10]);
});

test("close with discard tells the waiting rows at once and waits for the model", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 1, modelMs: 10 });
	const rows = [1, 2, 3].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(4);
	const closed = watch(batcher.close({ discard: true }), clock);
	await clock.advance(1);
	assert.deepEqual(
		rows.map(({ state }) => state),
		["pending", "CLOSED", "CLOSED"],
	);
	await clock.advance(10);
	assert.equal(rows[0]?.state, 1.5);
	assert.equal(closed.atMs, 10);
	assert.equal(calls.length, 1);
	assert.equal(batcher.stats().discarded, 2);
});

test("close may be called again, to discard after a grace period", async () => {
	const { clock, batcher } = rig({ maxBatchSize: 1, modelMs: 10 });
	const rows = [1, 2, 3, 4].map((row) => watch(batcher.submit(row), clock));
	const graceful = watch(batcher.close(), clock);
	await clock.advance(15);
	const final = watch(batcher.close({ discard: true }), clock);
	await clock.advance(30);
	assert.deepEqual(
		rows.map(({ state }) => state),
		[1.5, 2.5, "CLOSED", "CLOSED"],
	);
	assert.deepEqual([graceful.atMs, final.atMs], [20, 20]);
});

test("a closed batcher leaves nothing on the clock", async () => {
	const { clock, batcher } = rig({ maxWaitMs: 1000, queueDeadlineMs: 5000, modelTimeoutMs: 9000, modelMs: 1 });
	watch(batcher.submit(1), clock);
	const closed = watch(batcher.close(), clock);
	await clock.advance(2);
	assert.equal(closed.times, 1);
	assert.equal(clock.pending, 0);
});

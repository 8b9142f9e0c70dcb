import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, FLUSH_REASONS, type PolicyOptions, type QueueView } from "batching-lab/batcher";
import fc from "fast-check";

const MS = 1e6;
const NEVER = Number.POSITIVE_INFINITY;

function view(over: Partial<QueueView> = {}): QueueView {
	return { nowNs: 10 * MS, length: 3, oldestNs: 9 * MS, deadlineNs: NEVER, busy: false, draining: false, ...over };
}

function policy(over: Partial<PolicyOptions> = {}): PolicyOptions {
	return { maxBatchSize: 8, maxWaitNs: 2 * MS, slackNs: 0, ...over };
}

test("the reasons stand in the order in which records store them", () => {
	assert.deepEqual([...FLUSH_REASONS], ["full", "timer", "idle", "deadline", "drain"]);
});

test("an empty queue sleeps until the next event", () => {
	assert.deepEqual(decide(view({ length: 0 }), policy()), { action: "sleep", untilNs: NEVER });
});

test("B rows leave at once, and never more than B", () => {
	assert.deepEqual(decide(view({ length: 8 }), policy()), { action: "take", rows: 8, reason: "full" });
	assert.deepEqual(decide(view({ length: 20 }), policy()), { action: "take", rows: 8, reason: "full" });
});

test("fewer than B rows sleep until the oldest has waited W, then leave as timer", () => {
	assert.deepEqual(decide(view(), policy()), { action: "sleep", untilNs: 11 * MS });
	assert.deepEqual(decide(view({ nowNs: 11 * MS - 1 }), policy()), { action: "sleep", untilNs: 11 * MS });
	assert.deepEqual(decide(view({ nowNs: 11 * MS }), policy()), { action: "take", rows: 3, reason: "timer" });
});

test("with W = 0 whatever waits leaves as idle, full at B", () => {
	assert.deepEqual(decide(view(), policy({ maxWaitNs: 0 })), { action: "take", rows: 3, reason: "idle" });
	assert.deepEqual(decide(view({ length: 9 }), policy({ maxWaitNs: 0 })), { action: "take", rows: 8, reason: "full" });
});

test("nothing leaves while the model is busy; it wakes just past the nearest deadline", () => {
	assert.deepEqual(decide(view({ busy: true, length: 20 }), policy()), { action: "sleep", untilNs: NEVER });
	const waiting = view({ busy: true, deadlineNs: 12 * MS });
	assert.deepEqual(decide(waiting, policy()), { action: "sleep", untilNs: 12 * MS + 1 });
});

test("a wait that ended while the model was busy is a timer flush, with no further wait", () => {
	assert.deepEqual(decide(view({ nowNs: 30 * MS }), policy()), { action: "take", rows: 3, reason: "timer" });
});

test("a deadline before the end of W makes the batch leave as deadline, early by the slack", () => {
	const near = { deadlineNs: 10.8 * MS };
	assert.deepEqual(decide(view(near), policy()), { action: "sleep", untilNs: 10.8 * MS });
	assert.deepEqual(decide(view({ ...near, nowNs: 10.8 * MS }), policy()), {
		action: "take",
		rows: 3,
		reason: "deadline",
	});
	assert.deepEqual(decide(view(near), policy({ slackNs: MS })), { action: "take", rows: 3, reason: "deadline" });
});

test("a deadline after the end of W changes nothing", () => {
	assert.deepEqual(decide(view({ deadlineNs: 15 * MS }), policy()), { action: "sleep", untilNs: 11 * MS });
});

test("draining rows do not wait for company", () => {
	assert.deepEqual(decide(view({ draining: true }), policy()), { action: "take", rows: 3, reason: "drain" });
	assert.deepEqual(decide(view({ draining: true, length: 9 }), policy()), { action: "take", rows: 8, reason: "full" });
	assert.equal(decide(view({ draining: true, busy: true }), policy()).action, "sleep");
});

const anyView = fc.record({
	nowNs: fc.integer({ min: 0, max: 100 }),
	length: fc.integer({ min: 0, max: 20 }),
	oldestNs: fc.integer({ min: 0, max: 100 }),
	deadlineNs: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constant(NEVER)),
	busy: fc.boolean(),
	draining: fc.boolean(),
});
const anyPolicy = fc.record({
	maxBatchSize: fc.integer({ min: 1, max: 8 }),
	maxWaitNs: fc.integer({ min: 0, max: 50 }),
	slackNs: fc.integer({ min: 0, max: 5 }),
});

test("any view: never more than B, never from an empty queue, never while busy; same input, same answer", () => {
	fc.assert(
		fc.property(anyView, anyPolicy, (seen, options) => {
			const decision = decide(seen, options);
			assert.deepEqual(decide({ ...seen }, { ...options }), decision);
			if (decision.action === "sleep") return;
			assert.ok(!seen.busy && decision.rows >= 1);
			assert.equal(decision.rows, Math.min(seen.length, options.maxBatchSize));
			assert.equal(decision.reason === "full", seen.length >= options.maxBatchSize);
		}),
	);
});

test("any view: a free model with W = 0 never sleeps on a waiting row", () => {
	fc.assert(
		fc.property(anyView, anyPolicy, (seen, options) => {
			const decision = decide({ ...seen, busy: false, length: seen.length + 1 }, { ...options, maxWaitNs: 0 });
			assert.equal(decision.action, "take");
		}),
	);
});

test("any view: a sleep ends in the future, by the end of W, and the decision then is to take", () => {
	fc.assert(
		fc.property(anyView, anyPolicy, (seen, options) => {
			const free = { ...seen, busy: false, length: seen.length + 1, oldestNs: Math.min(seen.oldestNs, seen.nowNs) };
			const decision = decide(free, options);
			if (decision.action === "take") return;
			assert.ok(decision.untilNs > free.nowNs);
			assert.ok(decision.untilNs <= free.oldestNs + options.maxWaitNs);
			assert.equal(decide({ ...free, nowNs: decision.untilNs }, options).action, "take");
		}),
	);
});

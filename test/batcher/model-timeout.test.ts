import assert from "node:assert/strict";
import { test } from "node:test";
import {
	type BatcherOptions,
	type BatchReport,
	type CallContext,
	MicroBatcher,
	VirtualClock,
} from "batching-lab/batcher";
import { watch } from "./harness.js";

interface Hanging {
	readonly clock: VirtualClock;
	readonly batcher: MicroBatcher<number, number>;
	readonly reports: BatchReport[];
	readonly contexts: CallContext[];
}

/** A model that takes as many ms as its first row says; `Infinity` = it never comes back. */
function hanging(options: BatcherOptions = {}): Hanging {
	const clock = new VirtualClock();
	const reports: BatchReport[] = [];
	const contexts: CallContext[] = [];
	const batcher = new MicroBatcher<number, number>(
		(rows, context) => {
			contexts.push(context);
			const ms = rows[0] ?? 0;
			if (ms === Number.POSITIVE_INFINITY) return new Promise<number[]>(() => {});
			return clock.sleep(ms).then(() => rows.map((row) => row + 0.5));
		},
		{ clock, maxBatchSize: 1, modelTimeoutMs: 10, onBatch: (report) => reports.push(report), ...options },
	);
	return { clock, batcher, reports, contexts };
}

const NEVER = Number.POSITIVE_INFINITY;

test("a call that outlives its time fails its rows, and the batcher is no longer healthy", async () => {
	const { clock, batcher, reports } = hanging();
	const row = watch(batcher.submit(NEVER), clock);
	await clock.advance(10);
	assert.equal(row.state, "pending");
	assert.equal(batcher.healthy, true);
	await clock.advance(0.001);
	assert.equal(row.state, "MODEL_TIMEOUT");
	assert.equal(batcher.healthy, false);
	assert.equal(batcher.stats().modelTimeouts, 1);
	assert.equal(reports[0]?.error?.code, "MODEL_TIMEOUT");
	assert.equal(reports[0]?.failed, 1);
});

test("the rows behind a call that hangs are told at once, and new ones are refused at once", async () => {
	const { clock, batcher } = hanging();
	watch(batcher.submit(NEVER), clock);
	await clock.advance(1);
	const behind = watch(batcher.submit(1), clock);
	await clock.advance(10);
	assert.equal(behind.state, "MODEL_STUCK");
	const late = watch(batcher.submit(1), clock);
	await clock.advance(0);
	assert.equal(late.state, "MODEL_STUCK");
	assert.equal(batcher.stats().rejected.stuck, 1);
});

test("a late answer is thrown away, and then the batcher works again", async () => {
	const { clock, batcher, reports } = hanging();
	const slow = watch(batcher.submit(25), clock);
	await clock.advance(24);
	assert.equal(batcher.healthy, false);
	await clock.advance(2);
	assert.deepEqual([slow.state, slow.times], ["MODEL_TIMEOUT", 1]);
	assert.equal(batcher.healthy, true);
	const next = watch(batcher.submit(2), clock);
	await clock.advance(5);
	assert.equal(next.state, 2.5);
	assert.deepEqual(
		reports.map(({ batchId }) => batchId),
		[1, 2],
	);
});

test("a call that is late by its own clock is late, whoever looks first", async () => {
	const clock = new VirtualClock();
	// It holds the loop the whole time, so no alarm can ring: only the clock knows.
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			elapsedNs = 11e6;
			return rows;
		},
		{
			clock: {
				nowNs: () => clock.nowNs() + elapsedNs,
				defer: (callback) => clock.defer(callback),
				alarm: (callback) => clock.alarm(callback),
				slackNs: 0,
				polling: clock.polling,
			},
			modelTimeoutMs: 10,
		},
	);
	let elapsedNs = 0;
	const row = watch(batcher.submit(1), clock);
	await clock.advance(1);
	assert.equal(row.state, "MODEL_TIMEOUT");
	assert.equal(batcher.healthy, true);
});

test("exactly modelTimeoutMs is in time", async () => {
	const { clock, batcher } = hanging();
	const row = watch(batcher.submit(10), clock);
	await clock.advance(20);
	assert.equal(row.state, 10.5);
	assert.equal(batcher.stats().modelTimeouts, 0);
});

test("the call's signal fires, so that a remote call can be cancelled", async () => {
	const { clock, batcher, contexts } = hanging();
	watch(batcher.submit(NEVER), clock);
	await clock.advance(1);
	const signal = contexts[0]?.signal;
	assert.equal(signal?.aborted, false);
	await clock.advance(10);
	assert.equal(signal?.aborted, true);
	assert.equal(contexts[0]?.batchId, 1);
});

test("drain and close end although a call hangs for ever", async () => {
	const { clock, batcher } = hanging();
	watch(batcher.submit(NEVER), clock);
	await clock.advance(1);
	const behind = watch(batcher.submit(2), clock);
	const closed = watch(batcher.close(), clock);
	await clock.advance(20);
	assert.equal(closed.times, 1);
	assert.equal(behind.state, "MODEL_STUCK");
});

test("with isolate a batch that timed out is not repeated, and its waiting second tries are told", async () => {
	const { clock, batcher, contexts } = hanging({ maxBatchSize: 2, isolate: true });
	const rows = [NEVER, 1].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(30);
	assert.ok(rows.every(({ state }) => state === "MODEL_TIMEOUT"));
	assert.equal(contexts.length, 1);
});

test("a second try that hangs takes the tries behind it along", async () => {
	const clock = new VirtualClock();
	const batcher = new MicroBatcher<number, number>(
		(rows) => (rows.length > 1 ? Promise.reject(new Error("poison")) : new Promise<number[]>(() => {})),
		{ clock, isolate: true, modelTimeoutMs: 10 },
	);
	const rows = [1, 2, 3].map((row) => watch(batcher.submit(row), clock));
	await clock.advance(30);
	assert.deepEqual(
		rows.map(({ state, times }) => [state, times]),
		[
			["MODEL_TIMEOUT", 1],
			["MODEL_STUCK", 1],
			["MODEL_STUCK", 1],
		],
	);
});

test("with several places one that hangs leaves the others working", async () => {
	const { clock, batcher } = hanging({ maxInFlight: 2 });
	const stuck = watch(batcher.submit(NEVER), clock);
	await clock.advance(20);
	assert.equal(stuck.state, "MODEL_TIMEOUT");
	assert.equal(batcher.healthy, false);
	const row = watch(batcher.submit(3), clock);
	await clock.advance(5);
	assert.equal(row.state, 3.5);
	const second = watch(batcher.submit(NEVER), clock);
	await clock.advance(20);
	assert.equal(second.state, "MODEL_TIMEOUT");
	const refused = watch(batcher.submit(1), clock);
	await clock.advance(0);
	assert.equal(refused.state, "MODEL_STUCK");
});

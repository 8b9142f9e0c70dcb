import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "batching-lab/batcher";
import fc from "fast-check";

test("time stands still until it is moved", async () => {
	const clock = new VirtualClock(5);
	assert.equal(clock.nowMs, 5);
	await clock.advance(2.5);
	assert.equal(clock.nowNs(), 7.5e6);
});

test("events run in the order of their moment, equal moments in the order asked", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }), async (moments) => {
			const clock = new VirtualClock();
			const ran: [number, number][] = [];
			moments.forEach((atMs, order) => {
				clock.at(atMs, () => ran.push([clock.nowMs, order]));
			});
			await clock.advance(10);
			const expected = moments.map((atMs, order): [number, number] => [atMs, order]);
			assert.deepEqual(
				ran,
				expected.sort(([a, i], [b, j]) => a - b || i - j),
			);
		}),
		{ numRuns: 50 },
	);
});

test("promises settle before the next event", async () => {
	const clock = new VirtualClock();
	const log: string[] = [];
	clock.at(1, async () => {
		for (let i = 0; i < 20; i++) await null;
		log.push("promises of 1");
	});
	clock.at(1, () => log.push("second event at 1"));
	await clock.advance(1);
	assert.deepEqual(log, ["promises of 1", "second event at 1"]);
});

test("advance stops exactly at its end, and an event at the end still runs", async () => {
	const clock = new VirtualClock();
	const log: number[] = [];
	for (const ms of [1, 2, 2.000_001]) clock.at(ms, () => log.push(ms));
	await clock.advance(2);
	assert.deepEqual(log, [1, 2]);
	assert.equal(clock.nowMs, 2);
});

test("sleep resolves in virtual time", async () => {
	const clock = new VirtualClock();
	let woken = Number.NaN;
	const sleeper = clock.sleep(1000).then(() => {
		woken = clock.nowMs;
	});
	await clock.advance(5000);
	await sleeper;
	assert.equal(woken, 1000);
});

test("an alarm rings once, can be moved and cleared", async () => {
	const clock = new VirtualClock();
	const rung: number[] = [];
	const alarm = clock.alarm(() => rung.push(clock.nowMs));
	alarm.set(3e6, false);
	alarm.set(1e6, false);
	await clock.advance(5);
	assert.deepEqual(rung, [1]);
	alarm.set(7e6, false);
	alarm.clear();
	await clock.advance(5);
	assert.deepEqual(rung, [1]);
	assert.equal(clock.pending, 0);
});

test("a turn comes after the events that were there before it", async () => {
	const clock = new VirtualClock();
	const log: string[] = [];
	clock.at(0, () => {
		clock.defer(() => log.push("turn"));
		log.push("caller");
	});
	clock.at(0, () => log.push("neighbour"));
	await clock.advance(0);
	assert.deepEqual(log, ["caller", "neighbour", "turn"]);
});

test("runAll runs to the last event", async () => {
	const clock = new VirtualClock();
	let hops = 0;
	const hop = (): void => {
		hops++;
		if (hops < 5) clock.at(clock.nowMs + 2, hop);
	};
	clock.at(2, hop);
	await clock.runAll();
	assert.deepEqual([hops, clock.nowMs], [5, 10]);
});

test("time does not run backwards", async () => {
	const clock = new VirtualClock(10);
	await assert.rejects(clock.advance(-1), RangeError);
	const rung: number[] = [];
	clock.at(3, () => rung.push(clock.nowMs));
	await clock.advance(0);
	assert.deepEqual(rung, [10]);
});

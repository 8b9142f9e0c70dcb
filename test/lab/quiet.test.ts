import assert from "node:assert/strict";
import { test } from "node:test";
import { type Counters, waitForQuiet } from "batching-lab/lab";

/** Counters whose CPU 0 is busy for the given shares, look after look; the last share goes on for ever. */
function scripted(...busyShares: readonly number[]): () => Counters {
	let [idle, total, reading] = [0, 0, 0];
	return () => {
		if (reading > 0) {
			const busy = busyShares[Math.min(reading, busyShares.length) - 1] ?? 0;
			total += 100;
			idle += 100 - busy * 100;
		}
		reading++;
		return { cpus: new Map([[0, { idle, steal: 0, total }]]), contextSwitches: 0, source: "proc" };
	};
}

const RULES = { measured: [0], lookMs: 2, requiredIdleShare: 0.95, waitAtMostMs: 10_000 };

test("one quiet look is enough, and nothing is said", async () => {
	const busy: string[] = [];
	const look = await waitForQuiet(RULES, { read: scripted(0.02), onBusy: (text) => busy.push(text) });
	assert.equal(look.quiet, true);
	assert.equal(look.idleShare, 0.98);
	assert.deepEqual(busy, []);
});

test("a busy machine is waited for, and each look says how busy it is", async () => {
	const busy: string[] = [];
	const look = await waitForQuiet(RULES, { read: scripted(0.6, 0.37, 0), onBusy: (text) => busy.push(text) });
	assert.equal(look.quiet, true);
	assert.equal(busy.length, 2);
	assert.match(busy[0] ?? "", /CPU 0 is 60 % busy with other work, 5 % is allowed/);
	assert.match(busy[1] ?? "", /37 % busy/);
});

test("when the wait is over the run is marked, not refused", async () => {
	const look = await waitForQuiet({ ...RULES, waitAtMostMs: 0 }, { read: scripted(0.5) });
	assert.equal(look.quiet, false);
	assert.equal(look.idleShare, 0.5);
});

test("where nothing is pinned, all CPUs together must be quiet", async () => {
	let reading = 0;
	const read = (): Counters => {
		const ticks = 100 * reading++;
		const cpus = new Map(
			[0, 1, 2, 3].map((cpu) => [cpu, { idle: cpu === 0 ? 0.9 * ticks : ticks, steal: 0, total: ticks }]),
		);
		return { cpus, contextSwitches: null, source: "os" };
	};
	const look = await waitForQuiet({ ...RULES, measured: null }, { read });
	assert.equal(look.quiet, true);
	assert.equal(look.idleShare, 0.975);
	assert.equal(look.source, "os");
});

test("waiting ends at once when it is given up", async () => {
	const gone = new AbortController();
	const waiting = waitForQuiet({ ...RULES, lookMs: 60_000 }, { read: scripted(0), signal: gone.signal });
	gone.abort();
	await assert.rejects(waiting, { name: "AbortError" });
});

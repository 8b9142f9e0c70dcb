import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProcStat, parseProcStat, usageBetween } from "batching-lab/lab";

/** Captured on a two-core virtual machine, one second apart, with a busy loop on CPU 1. */
const BEFORE = `cpu  15105 0 5154 115693 566 0 144 23 0 0
cpu0 8650 0 2105 57437 147 0 14 6 0 0
cpu1 6454 0 3049 58255 418 0 129 16 0 0
intr 3050414 0 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
ctxt 5143912
btime 1795500660
processes 12204
procs_running 4
procs_blocked 0
softirq 1012345 0 1 2 3 4 5 6 7 8 9
`;
const AFTER = `cpu  15205 0 5156 115788 566 0 144 25 0 0
cpu0 8652 0 2106 57532 149 0 14 6 0 0
cpu1 6551 0 3050 58255 418 0 129 18 0 0
ctxt 5144112
`;

function parsed(text: string): ProcStat {
	const stat = parseProcStat(text);
	assert.ok(stat !== null);
	return stat;
}

test("each CPU's idle time counts waiting for the disk, and its total counts what other guests took", () => {
	const stat = parsed(BEFORE);
	assert.deepEqual([...stat.cpus.keys()], [0, 1]);
	assert.deepEqual(stat.cpus.get(0), { idle: 57437 + 147, steal: 6, total: 8650 + 2105 + 57437 + 147 + 14 + 6 });
	assert.equal(stat.contextSwitches, 5_143_912);
});

test("guest time is part of user time already and is not counted twice", () => {
	const stat = parsed("cpu0 1000 50 200 5000 10 1 2 3 400 30\n");
	assert.equal(stat.cpus.get(0)?.total, 1000 + 50 + 200 + 5000 + 10 + 1 + 2 + 3);
	assert.equal(stat.contextSwitches, null);
});

test("a text without CPU lines is no reading", () => {
	assert.equal(parseProcStat(""), null);
	assert.equal(parseProcStat("ctxt 5\ncpufreq 7 8 9\n"), null);
});

test("a short line of an old kernel reads as zeros", () => {
	assert.deepEqual(parsed("cpu3 1 2 3 4\n").cpus.get(3), { idle: 4, steal: 0, total: 10 });
});

test("the busiest of the CPUs looked at decides, and steal is its own figure", () => {
	const [before, after] = [parsed(BEFORE), parsed(AFTER)];
	const both = usageBetween(before, after);
	assert.equal(both?.cpu, 1);
	assert.equal(both?.idleShare, 0);
	assert.equal(both?.overallIdleShare, 97 / 200);
	assert.equal(both?.stealShare, 2 / 200);
	const first = usageBetween(before, after, [0]);
	assert.equal(first?.idleShare, 0.97);
	assert.equal(first?.stealShare, 0);
});

test("no tick, no CPU or a counter that runs backwards gives no share outside 0 to 1", () => {
	const stat = parsed(BEFORE);
	assert.equal(usageBetween(stat, stat), null);
	assert.equal(usageBetween(stat, parsed(AFTER), [7]), null);
	const back = usageBetween(parsed("cpu0 0 0 0 100 50\n"), parsed("cpu0 20 0 0 100 40\n"));
	assert.equal(back?.idleShare, 0);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { type BatchReport, createSystemClock, MicroBatcher } from "batching-lab/batcher";

const run = promisify(execFile);

test("it counts the nanoseconds of process.hrtime.bigint()", () => {
	const clock = createSystemClock();
	for (let i = 0; i < 100; i++) {
		const before = process.hrtime.bigint();
		const now = BigInt(clock.nowNs());
		const after = process.hrtime.bigint();
		assert.ok(before <= now && now <= after);
	}
});

for (const ms of [1, 3, 0.4, 2.5]) {
	test(`an alarm set for ${ms} ms never rings early, whatever the loop's own clock says`, async () => {
		const clock = createSystemClock();
		for (let i = 0; i < 15; i++) {
			// Work before the alarm: the loop's cached time is now old, and a bare timer fires early.
			const busyUntilNs = clock.nowNs() + (i % 3) * 0.7e6;
			while (clock.nowNs() < busyUntilNs);
			const atNs = clock.nowNs() + ms * 1e6;
			await new Promise<void>((resolve) => {
				clock.alarm(resolve).set(atNs, !Number.isInteger(ms));
			});
			assert.ok(clock.nowNs() >= atNs);
		}
	});
}

test("W is a floor: no real batch leaves by timer before it", async () => {
	for (const maxWaitMs of [1, 2, 0.3]) {
		const reports: BatchReport[] = [];
		const batcher = new MicroBatcher((rows: readonly number[]) => rows, {
			maxWaitMs,
			onBatch: (report) => reports.push(report),
		});
		for (let i = 0; i < 10; i++) await batcher.submit(i);
		assert.equal(reports.length, 10);
		for (const { reason, waitNs } of reports) {
			assert.equal(reason, "timer");
			assert.ok(waitNs >= maxWaitMs * 1e6);
		}
	}
});

test("only a fractional W polls, and what that took is reported", async () => {
	const score = (rows: readonly number[]): readonly number[] => rows;
	const whole = new MicroBatcher(score, { maxWaitMs: 2 });
	const fractional = new MicroBatcher(score, { maxWaitMs: 0.5 });
	for (let i = 0; i < 5; i++) {
		await whole.submit(i);
		await fractional.submit(i);
	}
	assert.equal(whole.stats().pollNs, 0);
	assert.ok(fractional.stats().pollNs >= 5 * 0.3e6);
});

test("a cleared alarm does not ring, and can be set again", async () => {
	const clock = createSystemClock();
	let rings = 0;
	let resolveRing = (): void => {};
	const rung = new Promise<void>((resolve) => {
		resolveRing = resolve;
	});
	const alarm = clock.alarm(() => {
		rings++;
		resolveRing();
	});
	for (const fine of [false, true]) {
		alarm.set(clock.nowNs() + 0.5e6, fine);
		alarm.clear();
	}
	await new Promise((resolve) => setTimeout(resolve, 10));
	assert.equal(rings, 0);
	alarm.set(clock.nowNs() + 1e6, false);
	await rung;
	assert.equal(rings, 1);
});

/** Runs a small program that imports the batcher; resolves with what it printed. */
async function program(source: string): Promise<string> {
	const imports = 'import { MicroBatcher } from "batching-lab/batcher";\n';
	const { stdout } = await run(process.execPath, ["--input-type=module", "-e", imports + source], { timeout: 20_000 });
	return stdout.trim();
}

test("a settled batcher does not keep the process alive, not even for a timeout that is far away", async () => {
	const options = "{ maxWaitMs: 1, queueDeadlineMs: 3_600_000, modelTimeoutMs: 3_600_000 }";
	const printed = await program(
		`const batcher = new MicroBatcher(async (rows) => rows, ${options}); console.log(await batcher.submit(7));`,
	);
	assert.equal(printed, "7");
});

test("a waiting row and a model call that hangs do keep it alive until they are told", async () => {
	const printed = await program(`
		const batcher = new MicroBatcher(() => new Promise(() => {}), { maxBatchSize: 1, modelTimeoutMs: 50 });
		const codes = await Promise.allSettled([batcher.submit(1), batcher.submit(2, { deadlineMs: 20 })]);
		console.log(codes.map(({ reason }) => reason.code).join());`);
	assert.equal(printed, "MODEL_TIMEOUT,QUEUE_DEADLINE");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type BatchReport, MicroBatcher, VirtualClock } from "batching-lab/batcher";
import fc from "fast-check";
import { watch } from "./harness.js";
import { reference, type Schedule } from "./reference.js";

const MS = 1e6;
const NEVER = Number.POSITIVE_INFINITY;

const anyRow = fc.record({
	atMs: fc.integer({ min: 0, max: 40 }),
	deadlineMs: fc.oneof(
		{ weight: 2, arbitrary: fc.constant(NEVER) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
	),
	abortMs: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(NEVER) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }) },
	),
});

/**
 * Whole milliseconds, plus a few nanoseconds that belong to one row alone (8 × its index; its abort 4 later): so no
 * two things happen in the same moment, except those that follow from each other, and the order is the rules' own.
 */
const schedules: fc.Arbitrary<Schedule> = fc
	.record({
		maxBatchSize: fc.integer({ min: 1, max: 6 }),
		waitMs: fc.integer({ min: 0, max: 12 }),
		spare: fc.integer({ min: 0, max: 8 }),
		modelMs: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
		rows: fc.array(anyRow, { minLength: 1, maxLength: 60 }),
	})
	.map(({ maxBatchSize, waitMs, spare, modelMs, rows }) => ({
		maxBatchSize,
		waitNs: waitMs * MS,
		maxQueue: maxBatchSize + spare,
		modelNs: modelMs.map((ms) => ms * MS),
		rows: rows.map(({ atMs, deadlineMs, abortMs }, index) => ({
			atNs: atMs * MS + 8 * index,
			deadlineNs: deadlineMs * MS,
			abortNs: abortMs * MS + 4,
		})),
	}));

interface Played {
	readonly batches: readonly { readonly leftNs: number; readonly rows: readonly number[]; readonly reason: string }[];
	readonly ends: ReadonlyMap<number, { readonly how: string; readonly atNs: number }>;
	readonly stats: ReturnType<MicroBatcher<number, number>["stats"]>;
}

/** The same schedule through the real batcher. A row's score is its own index + 0.5. */
async function play({ maxBatchSize, waitNs, maxQueue, modelNs, rows }: Schedule): Promise<Played> {
	const clock = new VirtualClock();
	const taken: (readonly number[])[] = [];
	const reports: BatchReport[] = [];
	const batcher = new MicroBatcher<number, number>(
		async (indices) => {
			const ns = modelNs[taken.length % modelNs.length] ?? 0;
			taken.push(indices);
			await clock.sleep(ns / MS);
			return indices.map((index) => index + 0.5);
		},
		{ clock, maxBatchSize, maxWaitMs: waitNs / MS, maxQueue, onBatch: (report) => reports.push(report) },
	);
	const outcomes = new Map<number, ReturnType<typeof watch<number>>>();
	rows.forEach(({ atNs, deadlineNs, abortNs }, index) => {
		const controller = new AbortController();
		clock.at(atNs / MS, () => {
			const deadline = deadlineNs === NEVER ? {} : { deadlineMs: deadlineNs / MS };
			outcomes.set(index, watch(batcher.submit(index, { signal: controller.signal, ...deadline }), clock));
		});
		if (abortNs !== NEVER) clock.at((atNs + abortNs) / MS, () => controller.abort());
	});
	await clock.runAll();
	const ends = new Map<number, { how: string; atNs: number }>();
	for (const [index, { state, times, atMs }] of outcomes) {
		assert.equal(times, 1, `row ${index} was settled ${times} times`);
		if (typeof state === "number") assert.equal(state, index + 0.5, `row ${index} got another row's score`);
		const how = typeof state === "number" ? "answered" : state;
		ends.set(index, { how, atNs: Math.round(atMs * MS) });
	}
	const batches = reports.map(({ firstSubmitNs, waitNs: waited, reason }, index) => ({
		leftNs: firstSubmitNs + waited,
		rows: taken[index] ?? [],
		reason,
	}));
	return { batches, ends, stats: batcher.stats() };
}

test("any schedule: the same batches, at the same moments, for the same reasons, and the same ends, as the rules say", async () => {
	await fc.assert(
		fc.asyncProperty(schedules, async (schedule) => {
			const expected = reference(schedule);
			const { batches, ends, stats } = await play(schedule);
			assert.deepEqual(batches, expected.batches);
			assert.deepEqual(
				[...ends].sort(([a], [b]) => a - b),
				[...expected.ends].sort(([a], [b]) => a - b),
			);
			const { submitted, answered, failed, aborted, overdue, discarded, waiting, inModel } = stats;
			assert.equal(submitted, answered + failed + aborted + overdue + discarded + waiting + inModel);
			assert.deepEqual([failed, discarded, waiting, inModel], [0, 0, 0, 0]);
			assert.equal(submitted + stats.rejected.queueFull, schedule.rows.length);
		}),
		{ numRuns: 250 },
	);
});

test("any schedule, played twice, has one history", async () => {
	await fc.assert(
		fc.asyncProperty(schedules, async (schedule) => {
			assert.deepEqual(await play(schedule), await play(schedule));
		}),
		{ numRuns: 30 },
	);
});

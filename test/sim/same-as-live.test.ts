import assert from "node:assert/strict";
import { test } from "node:test";
import { type BatchReport, FLUSH_REASONS, MicroBatcher, VirtualClock } from "batching-lab/batcher";
import { SIM_OUTCOMES, simulateQueue } from "batching-lab/sim";
import fc from "fast-check";

const MS = 1e6;

/** Arrivals carry a few ns of their own, so that no two things happen in one moment unless one follows the other. */
const schedules = fc.record({
	maxBatchSize: fc.integer({ min: 1, max: 6 }),
	maxWaitMs: fc.integer({ min: 0, max: 8 }),
	spare: fc.integer({ min: 0, max: 6 }),
	queueDeadlineMs: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 3, max: 30 })),
	maxInFlight: fc.integer({ min: 1, max: 3 }),
	fixedMs: fc.integer({ min: 1, max: 6 }),
	perRowMs: fc.integer({ min: 0, max: 2 }),
	arrivalsMs: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 }),
});

test("any schedule: the simulator and the live batcher form the same batches at the same moments", async () => {
	await fc.assert(
		fc.asyncProperty(schedules, async ({ maxBatchSize, maxWaitMs, spare, queueDeadlineMs, maxInFlight, ...rest }) => {
			const maxQueue = maxBatchSize + spare;
			const arrivalsNs = Float64Array.from(
				rest.arrivalsMs.sort((a, b) => a - b),
				(ms, index) => ms * MS + 4 * index,
			);
			const modelNs = (rows: number): number => (rest.fixedMs + rest.perRowMs * rows) * MS;
			const simulated = simulateQueue({
				traffic: { kind: "open", arrivalsNs },
				batcher: { maxBatchSize, maxWaitMs, maxQueue, queueDeadlineMs, maxInFlight },
				server: { modelNs, modelRuns: "elsewhere" },
			});

			const clock = new VirtualClock();
			const reports: BatchReport[] = [];
			const endedNs = new Map<number, number>();
			const codes = new Map<number, string>();
			const batcher = new MicroBatcher<number, number>(
				async (rows) => {
					await clock.sleep(modelNs(rows.length) / MS);
					return rows;
				},
				{
					...{ clock, maxBatchSize, maxWaitMs, maxQueue, queueDeadlineMs, maxInFlight },
					onBatch: (report) => reports.push(report),
				},
			);
			for (const [request, atNs] of arrivalsNs.entries()) {
				const end = (code: string): void => {
					codes.set(request, code);
					endedNs.set(request, clock.nowNs());
				};
				clock.at(atNs / MS, () => {
					batcher.submit(request).then(
						() => end("answered"),
						(error: unknown) => end(String(error).includes("maxQueue") ? "refused" : "overdue"),
					);
				});
			}
			await clock.runAll();

			const { batches } = simulated;
			// Told when they end; a small batch may overtake a large one that left before it.
			reports.sort((a, b) => a.batchId - b.batchId);
			assert.deepEqual(
				reports.map(({ size, reason, firstSubmitNs, waitNs, modelNs: took }) => [
					...[size, reason, firstSubmitNs, firstSubmitNs + waitNs, took],
				]),
				[...batches.size].map((size, i) => [
					...[
						size,
						FLUSH_REASONS[batches.reason[i] ?? -1],
						batches.firstSubmitNs[i],
						batches.leftNs[i],
						batches.modelNs[i],
					],
				]),
			);
			assert.deepEqual(
				[...simulated.answeredNs],
				arrivalsNs.length === 0 ? [] : [...arrivalsNs.keys()].map((request) => endedNs.get(request)),
			);
			assert.deepEqual(
				[...simulated.outcome].map((index) => SIM_OUTCOMES[index]),
				[...arrivalsNs.keys()].map((request) => codes.get(request)),
			);
		}),
		{ numRuns: 200 },
	);
});

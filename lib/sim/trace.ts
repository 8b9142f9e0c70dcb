import { type FlushReason, isBatcherError, MicroBatcher, VirtualClock } from "../batcher/index.js";

export interface TraceOptions {
	/** B. */
	readonly maxBatchSize: number;
	/** W, ms. */
	readonly maxWaitMs: number;
	/** How long a model call takes, ms; or by the number of its rows. */
	readonly modelMs: number | ((rows: number) => number);
	/** When each row arrives, ms; rows are numbered from 1 in this order. */
	readonly arrivalsMs: readonly number[];
	/** The row's own deadline, ms after its arrival. @default none */
	readonly deadlinesMs?: readonly (number | undefined)[];
	/** When the caller gives the row up, ms after its arrival. @default never */
	readonly abortsMs?: readonly (number | undefined)[];
	readonly maxQueue?: number;
}

/** One thing that happened, in the order in which it happened. */
export type TraceEvent =
	| { readonly atMs: number; readonly what: "arrives"; readonly row: number; readonly text: string }
	| {
			readonly atMs: number;
			readonly what: "leaves";
			readonly batchId: number;
			readonly rows: readonly number[];
			readonly text: string;
	  }
	| { readonly atMs: number; readonly what: "answered"; readonly row: number; readonly text: string }
	| {
			readonly atMs: number;
			readonly what: "fails";
			readonly row: number;
			readonly code: string;
			readonly text: string;
	  }
	| {
			readonly atMs: number;
			readonly what: "reported";
			readonly batchId: number;
			readonly reason: FlushReason;
			readonly text: string;
	  };

/** A batch as a picture needs it, ms. */
export interface TracedBatch {
	readonly batchId: number;
	readonly rows: readonly number[];
	readonly reason: FlushReason;
	/** When its first row was submitted; the wait counts from here. */
	readonly firstSubmitMs: number;
	readonly leavesMs: number;
	readonly doneMs: number;
}

export interface Trace {
	readonly events: readonly TraceEvent[];
	readonly batches: readonly TracedBatch[];
	/** When the answer (or the error) of each row was there, ms. */
	readonly endedMs: readonly number[];
}

const list = (rows: readonly number[]): string => `${rows.length === 1 ? "row" : "rows"} ${rows.join(", ")}`;
const ms = (value: number): string => `${Number(value.toFixed(3))} ms`;

/**
 * Plays a handful of rows through the live `MicroBatcher` on a virtual clock and writes down what happens. Exact, and
 * the same every time, so that an exercise has a right answer.
 *
 * @example
 * const { events } = await traceBatcher({ maxBatchSize: 4, maxWaitMs: 2, modelMs: 3, arrivalsMs: [0, 0.5, 1, 6] });
 * for (const { atMs, text } of events) console.log(`${atMs} ms  ${text}`);
 */
export async function traceBatcher(options: TraceOptions): Promise<Trace> {
	const { maxBatchSize, maxWaitMs, modelMs, arrivalsMs, deadlinesMs = [], abortsMs = [], maxQueue } = options;
	const clock = new VirtualClock();
	const events: TraceEvent[] = [];
	const batches: TracedBatch[] = [];
	const rowsOf = new Map<number, readonly number[]>();
	const endedMs = new Array<number>(arrivalsMs.length).fill(Number.NaN);
	const batcher = new MicroBatcher<number, number>(
		async (rows, { batchId }) => {
			rowsOf.set(batchId, rows);
			events.push({
				atMs: clock.nowMs,
				what: "leaves",
				batchId,
				rows,
				text: `batch ${batchId} leaves with ${list(rows)}`,
			});
			await clock.sleep(typeof modelMs === "number" ? modelMs : modelMs(rows.length));
			return rows;
		},
		{
			maxBatchSize,
			maxWaitMs,
			clock,
			...(maxQueue === undefined ? {} : { maxQueue }),
			onBatch: ({ batchId, reason, firstSubmitNs, waitNs, modelNs }) => {
				const firstSubmitMs = firstSubmitNs / 1e6;
				const leavesMs = (firstSubmitNs + waitNs) / 1e6;
				const text = `batch ${batchId} is back: it had left for "${reason}", its first row had waited ${ms(waitNs / 1e6)}`;
				events.push({ atMs: clock.nowMs, what: "reported", batchId, reason, text });
				const doneMs = (firstSubmitNs + waitNs + modelNs) / 1e6;
				batches.push({ batchId, rows: rowsOf.get(batchId) ?? [], reason, firstSubmitMs, leavesMs, doneMs });
			},
		},
	);
	for (const [index, atMs] of arrivalsMs.entries()) {
		const row = index + 1;
		const deadlineMs = deadlinesMs[index];
		const abortMs = abortsMs[index];
		const controller = new AbortController();
		const arrive = (): void => {
			events.push({ atMs: clock.nowMs, what: "arrives", row, text: `row ${row} arrives` });
			const { signal } = controller;
			batcher.submit(row, deadlineMs === undefined ? { signal } : { signal, deadlineMs }).then(
				() => {
					endedMs[index] = clock.nowMs;
					events.push({ atMs: clock.nowMs, what: "answered", row, text: `row ${row} has its answer` });
				},
				(error: unknown) => {
					endedMs[index] = clock.nowMs;
					const code = isBatcherError(error) ? error.code : String(error);
					events.push({ atMs: clock.nowMs, what: "fails", row, code, text: `row ${row} fails: ${code}` });
				},
			);
		};
		clock.at(atMs, arrive);
		if (abortMs !== undefined) clock.at(atMs + abortMs, () => controller.abort());
	}
	await clock.runAll();
	return { events, batches, endedMs };
}

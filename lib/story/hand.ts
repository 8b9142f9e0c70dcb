import { type FlushReason, MicroBatcher, VirtualClock } from "../batcher/index.js";
import { fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";

export interface ByHandOptions {
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
	/** How long one model call takes, whatever its size. */
	readonly modelMs: number;
	readonly arrivalsMs: readonly number[];
}

export interface HandBatch {
	readonly rows: readonly number[];
	readonly leavesMs: number;
	readonly doneMs: number;
	readonly reason: FlushReason;
}

export interface ByHand extends ByHandOptions {
	readonly batches: readonly HandBatch[];
	/** When the score of each arrival is there, ms. */
	readonly answeredMs: readonly number[];
	tell(): void;
}

/** The workbook's real batcher on a virtual clock: exact, and the same every time. */
export async function batchByHand(options: ByHandOptions): Promise<ByHand> {
	const { maxBatchSize, maxWaitMs, modelMs, arrivalsMs } = options;
	const clock = new VirtualClock();
	const calls: { rows: readonly number[]; leavesMs: number }[] = [];
	const batches: HandBatch[] = [];
	const batcher = new MicroBatcher<number, number>(
		async (rows) => {
			calls.push({ rows: [...rows], leavesMs: clock.nowMs });
			await clock.sleep(modelMs);
			return rows;
		},
		{
			maxBatchSize,
			maxWaitMs,
			clock,
			onBatch: ({ reason }) => {
				const call = calls[batches.length];
				if (call !== undefined) batches.push({ ...call, doneMs: clock.nowMs, reason });
			},
		},
	);
	const answeredMs = new Array<number>(arrivalsMs.length).fill(Number.NaN);
	for (const [row, ms] of arrivalsMs.entries()) {
		clock.at(ms, () => {
			void batcher.submit(row).then(() => {
				answeredMs[row] = clock.nowMs;
			});
		});
	}
	await clock.runAll();
	return { ...options, batches, answeredMs, tell: () => tell(tellBatches(options, batches)) };
}

const BECAUSE: Readonly<Record<FlushReason, string>> = {
	full: "every seat was taken",
	timer: "its first row had waited W",
	idle: "the model was free and nothing waits on purpose",
	deadline: "a row's own deadline was near",
	drain: "the batcher was closing",
};

/** Why a batch left, and whether the model kept it waiting beyond its W or after its last seat was taken. */
export function becauseOf(
	{ maxWaitMs, arrivalsMs }: Pick<ByHandOptions, "maxWaitMs" | "arrivalsMs">,
	batch: HandBatch,
): string {
	const arrived = (row: number | undefined) => arrivalsMs[row ?? 0] ?? 0;
	const ready = batch.reason === "full" ? arrived(batch.rows.at(-1)) : arrived(batch.rows[0]) + maxWaitMs;
	const late = (batch.reason === "full" || batch.reason === "timer") && batch.leavesMs > ready;
	return `\`${batch.reason}\`: ${BECAUSE[batch.reason]}${late ? ", and the model was busy until now" : ""}`;
}

function tellBatches(options: ByHandOptions, batches: readonly HandBatch[]): string {
	const { arrivalsMs } = options;
	const rows = batches.map((batch, index) => {
		const { rows: members, leavesMs } = batch;
		const key = `virtual/hand/${index + 1}`;
		const arrivals = members.map((row) => prose`${fact(`${key}/arrival`, arrivalsMs[row] ?? 0)}`).join(", ");
		return [
			prose`${fact(`${key}/number`, index + 1)}`,
			arrivals,
			prose`${fact(`${key}/leaves`, leavesMs, "ms")}`,
			becauseOf(options, batch),
		];
	});
	return table([["batch", "rows that arrived at (ms)", "left at", "because"], ...rows]);
}

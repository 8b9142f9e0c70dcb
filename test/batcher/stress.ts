/**
 * Many rows through one real batcher, with everything that can go wrong at random: callers that give up before, in
 * the queue or in the model, deadlines of microseconds, a queue that is full, models that throw, reject, miscount,
 * answer NaN or an Error, poison rows, and calls that outlive their time.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { seededRandom } from "batching-lab/base";
import { type BatcherStats, MicroBatcher, type SubmitOptions } from "batching-lab/batcher";
import { codeOf } from "./harness.js";

export interface StressResult {
	readonly rows: number;
	/** Rows that were not settled exactly once. */
	readonly notOnce: number;
	/** Rows that got a score that is not their own. */
	readonly wrongScores: number;
	/** Rows by how they ended: "answered" or the code of their error. */
	readonly ends: Readonly<Record<string, number>>;
	readonly stats: BatcherStats;
	/** MB of heap in use after a collection, at ten moments. */
	readonly heapMb: readonly number[];
	readonly seconds: number;
}

const OPEN_AT_MOST = 1500;
const POISON_EVERY = 4999;
const CHECKPOINTS = 10;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const scoreOf = (row: number): number => row + 0.25;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A model with moods. Poison rows make any call throw that holds one. */
function moodyModel(random: () => number): (rows: readonly number[]) => number[] | Promise<(number | Error)[]> {
	return (rows) => {
		const mood = random();
		const answer = (): number[] => {
			if (rows.some((row) => row % POISON_EVERY === 0)) throw new Error("poison");
			return rows.map(scoreOf);
		};
		if (mood < 0.9) return answer();
		if (mood < 0.98) return turn().then(answer);
		if (mood < 0.982) throw new Error("moody");
		if (mood < 0.984) return Promise.reject(new Error("moody"));
		if (mood < 0.986) return rows.slice(1).map(scoreOf);
		if (mood < 0.992) return rows.map((row, i) => (i === 0 ? Number.NaN : scoreOf(row)));
		if (mood < 0.9999) return Promise.resolve(rows.map((row, i) => (i === 0 ? new Error("slot") : scoreOf(row))));
		return new Promise((resolve) => setTimeout(resolve, 12)).then(answer);
	};
}

export async function stress(
	rows: number,
	seed: number,
	onCheckpoint?: (done: number, heapMb: number) => void,
): Promise<StressResult> {
	const random = seededRandom(seed);
	const batcher = new MicroBatcher<number, number>(moodyModel(random), {
		maxBatchSize: 32,
		maxQueue: 1024,
		queueDeadlineMs: 50,
		modelTimeoutMs: 8,
		isolate: true,
		onBatch: ({ batchId }) => {
			if (batchId % 5003 === 0) throw new Error("observer");
		},
	});
	const settled = new Uint8Array(rows);
	const ends: Record<string, number> = {};
	let wrongScores = 0;
	let open = 0;
	const ended = (first: number, count: number, how: string): void => {
		open -= count;
		ends[how] = (ends[how] ?? 0) + count;
		for (let row = first; row < first + count; row++) settled[row] = (settled[row] ?? 0) + 1;
	};
	const check = (row: number, score: number): void => {
		if (score !== scoreOf(row)) wrongScores++;
	};

	/** The options of a caller in a hurry or with cold feet. */
	const options = (): SubmitOptions => {
		const mood = random();
		if (mood < 0.85) return {};
		if (mood < 0.92) return { deadlineMs: 0.001 + random() };
		const controller = new AbortController();
		const when = random();
		if (when < 0.1) controller.abort();
		else if (when < 0.4) queueMicrotask(() => controller.abort());
		else if (when < 0.8) setImmediate(() => controller.abort());
		return { signal: controller.signal };
	};
	const submit = (first: number): number => {
		const mood = random();
		const count = mood < 0.02 ? Math.min(1 + Math.floor(random() * 80), rows - first) : 1;
		open += count;
		const failed = (error: unknown): void => ended(first, count, codeOf(error));
		if (count > 1) {
			const row = Array.from({ length: count }, (_, i) => first + i);
			batcher.submitMany(row, options()).then((scores) => {
				for (let i = 0; i < count; i++) check(first + i, scores[i] ?? Number.NaN);
				ended(first, count, scores.length === count ? "answered" : "miscounted");
			}, failed);
		} else if (mood < 0.2) {
			batcher.submitDetailed(first, options()).then(({ score }) => {
				check(first, score);
				ended(first, 1, "answered");
			}, failed);
		} else {
			batcher.submit(first, options()).then((score) => {
				check(first, score);
				ended(first, 1, "answered");
			}, failed);
		}
		return count;
	};

	const startMs = performance.now();
	const heapMb: number[] = [];
	for (let row = 0; row < rows; ) {
		const wave = random() < 0.01 ? OPEN_AT_MOST : 1 + Math.floor(random() * 40);
		for (let i = 0; i < wave && row < rows && open < OPEN_AT_MOST; i++) row += submit(row);
		await turn();
		if (row >= ((heapMb.length + 1) * rows) / (CHECKPOINTS + 1) && heapMb.length < CHECKPOINTS) {
			await batcher.drain();
			collect();
			const mb = process.memoryUsage().heapUsed / 2 ** 20;
			heapMb.push(mb);
			onCheckpoint?.(row, mb);
		}
	}
	await batcher.close();
	await turn();
	let notOnce = 0;
	for (const times of settled) if (times !== 1) notOnce++;
	return {
		rows,
		notOnce,
		wrongScores,
		ends,
		stats: batcher.stats(),
		heapMb,
		seconds: (performance.now() - startMs) / 1e3,
	};
}

/** What is wrong with a result; empty when nothing is. */
export function complaints({ rows, notOnce, wrongScores, ends, stats, heapMb }: StressResult): string[] {
	const found: string[] = [];
	if (notOnce > 0) found.push(`${notOnce} of ${rows} rows were not settled exactly once`);
	if (wrongScores > 0) found.push(`${wrongScores} rows got a score that is not their own`);
	const { submitted, answered, failed, aborted, overdue, discarded, waiting, inModel } = stats;
	const accounted = answered + failed + aborted + overdue + discarded + waiting + inModel;
	if (submitted !== accounted) found.push(`${submitted} rows accepted, ${accounted} accounted for`);
	if (waiting + inModel > 0) found.push(`${waiting + inModel} rows left after close`);
	for (const how of ["answered", "ABORTED", "QUEUE_DEADLINE", "QUEUE_FULL", "MODEL_FAILED", "NON_FINITE_SCORE"]) {
		if ((ends[how] ?? 0) === 0) found.push(`no row ended as ${how}: the stress was too gentle`);
	}
	const [firstMb = Number.NaN, lastMb = Number.NaN] = [heapMb[1], heapMb.at(-1)];
	if (!(lastMb - firstMb < 2)) found.push(`the heap grew from ${firstMb.toFixed(1)} to ${lastMb.toFixed(1)} MB`);
	return found;
}

/** What the tests of the batcher share: a model on a virtual clock that remembers its calls. */
import { type BatcherOptions, type BatchReport, MicroBatcher, VirtualClock } from "batching-lab/batcher";

export interface Call {
	readonly atMs: number;
	readonly rows: readonly number[];
}

export interface Rig {
	readonly clock: VirtualClock;
	readonly batcher: MicroBatcher<number, number>;
	/** Every call of the model, in order. */
	readonly calls: Call[];
	readonly reports: BatchReport[];
}

export interface RigOptions extends BatcherOptions {
	/** How long a call takes; 0 = it answers in its own stack. */
	readonly modelMs?: number;
}

/** A batcher whose model answers row + 0.5, so that nobody can mistake a row for a score. */
export function rig({ modelMs = 0, ...options }: RigOptions = {}): Rig {
	const clock = new VirtualClock();
	const calls: Call[] = [];
	const reports: BatchReport[] = [];
	const answer = (rows: readonly number[]): number[] => rows.map((row) => row + 0.5);
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			calls.push({ atMs: clock.nowMs, rows });
			return modelMs === 0 ? answer(rows) : clock.sleep(modelMs).then(() => answer(rows));
		},
		{ clock, onBatch: (report) => reports.push(report), ...options },
	);
	return { clock, batcher, calls, reports };
}

/** How a promise ended: its value, the code of its error, or "pending". */
export interface Outcome<T> {
	state: T | string;
	/** Times it was settled: must be 1 in the end. */
	times: number;
	atMs: number;
}

/** Watches a promise without waiting for it. */
export function watch<T>(promise: Promise<T>, clock: VirtualClock): Outcome<T> {
	const outcome: Outcome<T> = { state: "pending", times: 0, atMs: Number.NaN };
	const settle = (state: T | string): void => {
		outcome.state = state;
		outcome.times++;
		outcome.atMs = clock.nowMs;
	};
	promise.then(settle, (error: unknown) => settle(codeOf(error)));
	return outcome;
}

export function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : `no code: ${String(error)}`;
}

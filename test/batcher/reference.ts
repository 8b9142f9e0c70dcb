/**
 * The batcher's rules once more, written to be read and not to be fast: plain arrays, no ring, no alarm, and no look at
 * the flush policy of the library. A schedule in, every batch and every row's end out. Times are whole ns.
 */
export interface ScheduledRow {
	readonly atNs: number;
	readonly deadlineNs: number;
	readonly abortNs: number;
}

export interface Schedule {
	readonly maxBatchSize: number;
	readonly waitNs: number;
	readonly maxQueue: number;
	/** How long the n-th model call takes, in turn. */
	readonly modelNs: readonly number[];
	readonly rows: readonly ScheduledRow[];
}

export interface ReferenceBatch {
	readonly leftNs: number;
	readonly rows: readonly number[];
	readonly reason: string;
}

export interface ReferenceResult {
	readonly batches: readonly ReferenceBatch[];
	/** By row: how it ended and when. */
	readonly ends: ReadonlyMap<number, { readonly how: string; readonly atNs: number }>;
}

export function reference({ maxBatchSize, waitNs, maxQueue, modelNs, rows }: Schedule): ReferenceResult {
	const batches: ReferenceBatch[] = [];
	const ends = new Map<number, { how: string; atNs: number }>();
	let queue: number[] = [];
	let running: readonly number[] = [];
	let freeNs = 0;
	const row = (index: number): ScheduledRow => {
		const found = rows[index];
		if (found === undefined) throw new RangeError(`no row ${index}`);
		return found;
	};
	const deadline = (index: number): number => row(index).atNs + row(index).deadlineNs;
	const end = (index: number, how: string, atNs: number): void => {
		if (!ends.has(index)) ends.set(index, { how, atNs });
	};
	/** Every moment at which something may happen by itself. */
	const moments = (nowNs: number): number[] => {
		const found: number[] = [];
		if (running.length > 0) found.push(freeNs);
		for (const index of queue) {
			found.push(deadline(index) + 1);
			if (running.length === 0) found.push(row(index).atNs + waitNs, deadline(index));
		}
		rows.forEach(({ atNs, abortNs }) => {
			found.push(atNs, atNs + abortNs);
		});
		return found.filter((atNs) => atNs > nowNs && Number.isFinite(atNs));
	};
	for (let nowNs = 0; ; ) {
		// Each pass: what comes in, what is given up, what is overdue, what comes back, what leaves.
		rows.forEach(({ atNs }, index) => {
			if (atNs !== nowNs) return;
			if (queue.length >= maxQueue) end(index, "QUEUE_FULL", nowNs);
			else queue.push(index);
		});
		rows.forEach(({ atNs, abortNs }, index) => {
			if (atNs + abortNs !== nowNs || ends.has(index)) return;
			end(index, "ABORTED", nowNs);
			queue = queue.filter((other) => other !== index);
		});
		for (const index of queue) if (deadline(index) < nowNs) end(index, "QUEUE_DEADLINE", nowNs);
		queue = queue.filter((index) => !ends.has(index));
		if (running.length > 0 && freeNs === nowNs) {
			for (const index of running) end(index, "answered", nowNs);
			running = [];
		}
		const [oldest] = queue;
		if (running.length === 0 && oldest !== undefined) {
			let reason = "";
			if (queue.length >= maxBatchSize) reason = "full";
			else if (waitNs === 0) reason = "idle";
			else if (row(oldest).atNs + waitNs <= nowNs) reason = "timer";
			else if (queue.some((index) => deadline(index) <= nowNs)) reason = "deadline";
			if (reason !== "") {
				running = queue.slice(0, maxBatchSize);
				queue = queue.slice(maxBatchSize);
				freeNs = nowNs + (modelNs[batches.length % modelNs.length] ?? 0);
				batches.push({ leftNs: nowNs, rows: running, reason });
			}
		}
		const next = moments(nowNs);
		if (next.length === 0) return { batches, ends };
		nowNs = Math.min(...next);
	}
}

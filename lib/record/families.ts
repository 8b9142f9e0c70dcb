/**
 * How the columns of a run lie in the file: as differences, since neighbours are near each other and small numbers
 * compress. Every number comes back exactly, whole ns and NaN included.
 */
import type { ColumnArray } from "./codec.js";
import type { ColumnSet } from "./columnset.js";
import type { BatchColumns, RequestColumns, StampColumns } from "./runs.js";

export type StoredColumns = Readonly<Record<string, ColumnArray>>;

/** Each value as its distance from the last one that was a number; the first one from 0. NaN stays NaN. */
export function toGaps(times: Float64Array): Float64Array {
	let last = 0;
	return times.map((exact) => {
		const time = Math.round(exact);
		if (Number.isNaN(time)) return time;
		const gap = time - last;
		last = time;
		return gap;
	});
}

/** Undoes {@link toGaps}, in place. */
export function fromGaps(gaps: Float64Array): Float64Array {
	let last = 0;
	for (let i = 0; i < gaps.length; i++) {
		const gap = gaps[i] ?? Number.NaN;
		if (Number.isNaN(gap)) continue;
		last += gap;
		gaps[i] = last;
	}
	return gaps;
}

function since(times: Float64Array, origins: Float64Array): Float64Array {
	return times.map((time, i) => Math.round(time) - Math.round(origins[i] ?? Number.NaN));
}

/** Undoes {@link since}, in place. */
function after(distances: Float64Array, origins: Float64Array): Float64Array {
	for (let i = 0; i < distances.length; i++) {
		distances[i] = (distances[i] ?? Number.NaN) + (origins[i] ?? Number.NaN);
	}
	return distances;
}

/** Scores against the single-row scores of their requests: all zeros where they are the same to the bit. */
function xor(bits: Uint32Array, bodyIndex: Uint32Array, single: Uint32Array): Uint32Array {
	return bits.map((own, i) => own ^ (single[bodyIndex[i] ?? 0] ?? 0));
}

function mostlyZero(values: Uint32Array): boolean {
	let zeros = 0;
	for (const value of values) if (value === 0) zeros++;
	return 2 * zeros > values.length;
}

export interface StoredRequests {
	readonly columns: StoredColumns;
	/** True when the scores were stored against the single-row scores. */
	readonly usesSingle: boolean;
}

/** @param single single-row scores by body index, if the record has them */
export function storeRequests(requests: RequestColumns, withSchedule: boolean, single?: Uint32Array): StoredRequests {
	const { scheduledNs, sentNs, receivedNs, scoreBits, ...plain } = requests;
	const scoreXor = single === undefined ? undefined : xor(scoreBits, requests.bodyIndex, single);
	const usesSingle = scoreXor !== undefined && mostlyZero(scoreXor);
	return {
		columns: {
			...(withSchedule ? { scheduledGapNs: toGaps(scheduledNs) } : {}),
			sentAfterNs: since(sentNs, scheduledNs),
			receivedAfterNs: since(receivedNs, scheduledNs),
			...(usesSingle ? { scoreXor } : { scoreBits }),
			...plain,
		},
		usesSingle,
	};
}

export function loadRequests(columns: ColumnSet, shared?: Float64Array, single?: Uint32Array): RequestColumns {
	const scheduledNs = shared ?? fromGaps(columns.get("scheduledGapNs", Float64Array));
	const bodyIndex = columns.get("bodyIndex", Uint32Array);
	return {
		scheduledNs,
		sentNs: after(columns.get("sentAfterNs", Float64Array), scheduledNs),
		receivedNs: after(columns.get("receivedAfterNs", Float64Array), scheduledNs),
		status: columns.get("status", Uint16Array),
		outcome: columns.get("outcome", Uint8Array),
		scoreBits:
			single === undefined
				? columns.get("scoreBits", Uint32Array)
				: xor(columns.get("scoreXor", Uint32Array), bodyIndex, single),
		batchId: columns.get("batchId", Uint32Array),
		batchSize: columns.get("batchSize", Uint16Array),
		bodyIndex,
	};
}

export function storeBatches({ firstSubmitNs, waitNs, modelNs, ...plain }: BatchColumns): StoredColumns {
	return {
		...plain,
		firstSubmitGapNs: toGaps(firstSubmitNs),
		waitNs: waitNs.map(Math.round),
		modelNs: modelNs.map(Math.round),
	};
}

export function loadBatches(columns: ColumnSet): BatchColumns {
	return {
		batchId: columns.get("batchId", Uint32Array),
		size: columns.get("size", Uint16Array),
		reason: columns.get("reason", Uint8Array),
		firstSubmitNs: fromGaps(columns.get("firstSubmitGapNs", Float64Array)),
		waitNs: columns.get("waitNs", Float64Array),
		modelNs: columns.get("modelNs", Float64Array),
	};
}

export function storeStamps({ handlerStartNs, rowReadyNs, scoreBackNs, replyWrittenNs }: StampColumns): StoredColumns {
	return {
		handlerStartGapNs: toGaps(handlerStartNs),
		rowReadyAfterNs: since(rowReadyNs, handlerStartNs),
		scoreBackAfterNs: since(scoreBackNs, handlerStartNs),
		replyWrittenAfterNs: since(replyWrittenNs, handlerStartNs),
	};
}

export function loadStamps(columns: ColumnSet): StampColumns {
	const handlerStartNs = fromGaps(columns.get("handlerStartGapNs", Float64Array));
	const later = (name: string) => after(columns.get(name, Float64Array), handlerStartNs);
	return {
		handlerStartNs,
		rowReadyNs: later("rowReadyAfterNs"),
		scoreBackNs: later("scoreBackAfterNs"),
		replyWrittenNs: later("replyWrittenAfterNs"),
	};
}

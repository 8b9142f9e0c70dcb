import type { NumberTable } from "../numbers.js";
import type { RawRun } from "../source.js";

/** Codes of the outcome column, as the record's own documentation gives them. */
export const OUTCOME = { answered: 0, failed: 1, timedOut: 2, unsent: 3 };

/** A float32's bits as a place on the number line: neighbours differ by 1, across zero too. */
function place(bits: number): number {
	return bits >= 0x80000000 ? 0x80000000 - bits : bits;
}

/** Requests by outcome, and answers that are not the single-row score. */
export function countsAndBits(table: NumberTable, { requests, singleBits }: RawRun): void {
	const found = { answered: 0, failed: 0, timedOut: 0, unsent: 0, differing: 0, maxUlp: 0, inBatches: 0 };
	for (let i = 0; i < requests.outcome.length; i++) {
		const outcome = requests.outcome[i];
		if (outcome === OUTCOME.failed) found.failed++;
		if (outcome === OUTCOME.timedOut) found.timedOut++;
		if (outcome === OUTCOME.unsent) found.unsent++;
		if (outcome !== OUTCOME.answered) continue;
		found.answered++;
		if ((requests.batchSize[i] ?? 0) > 1) found.inBatches++;
		const single = singleBits?.[requests.bodyIndex[i] ?? -1];
		const answered = requests.scoreBits[i];
		if (single === undefined || answered === undefined || single === answered) continue;
		const steps = Math.abs(place(single) - place(answered));
		if (steps === 0) continue;
		found.differing++;
		if (steps > found.maxUlp) found.maxUlp = steps;
	}
	table.put("scheduled", requests.outcome.length);
	for (const [name, value] of Object.entries(found)) table.put(name, value);
}

/** The answered requests, in scheduled order. */
export interface Stays {
	readonly due: Float64Array;
	readonly done: Float64Array;
}

export function staysOf({ requests }: RawRun): Stays {
	let count = 0;
	for (const outcome of requests.outcome) if (outcome === OUTCOME.answered) count++;
	const stays = { due: new Float64Array(count), done: new Float64Array(count) };
	for (let i = 0, at = 0; i < requests.outcome.length; i++) {
		if (requests.outcome[i] !== OUTCOME.answered) continue;
		stays.due[at] = requests.scheduledNs[i] ?? Number.NaN;
		stays.done[at++] = requests.receivedNs[i] ?? Number.NaN;
	}
	return stays;
}

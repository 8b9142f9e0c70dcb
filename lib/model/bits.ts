import { ulpDistance } from "../base/index.js";

/** The bit patterns of float32 scores, in place: no copy. */
export function scoreBits(scores: Float32Array): Uint32Array {
	return new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
}

export interface BitDifference {
	/** Rows whose bit patterns differ; +0 and −0 count as different. */
	readonly differingRows: number;
	/** Largest distance in units in the last place; 0 when all are equal. */
	readonly maxUlp: number;
	/** Largest absolute difference. */
	readonly maxAbs: number;
}

export function compareBits(scores: Float32Array, others: Float32Array): BitDifference {
	if (scores.length !== others.length)
		throw new RangeError(`${scores.length} scores cannot be compared with ${others.length}`);
	const bits = scoreBits(scores);
	const otherBits = scoreBits(others);
	let differingRows = 0;
	let maxUlp = 0;
	let maxAbs = 0;
	for (let row = 0; row < bits.length; row++) {
		const a = bits[row] as number;
		const b = otherBits[row] as number;
		if (a === b) continue;
		differingRows += 1;
		maxUlp = Math.max(maxUlp, ulpDistance(a, b));
		maxAbs = Math.max(maxAbs, Math.abs((scores[row] as number) - (others[row] as number)));
	}
	return { differingRows, maxUlp, maxAbs };
}

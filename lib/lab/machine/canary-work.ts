/** Ns each repetition of the canary took. */
export type CanaryTimes = readonly number[];

const WORDS = 1 << 14; // 64 KB: fits the second-level cache of everything that runs Node
const PASSES = 24;

/**
 * A fixed piece of work, the same on every machine and every day: integer hashing and a floating-point chain over 64 KB.
 * Its result is returned so that no compiler may leave the work out.
 */
export function canaryWork(words: Uint32Array = new Uint32Array(WORDS)): number {
	let hash = 0x811c9dc5;
	let chain = 1;
	for (let pass = 0; pass < PASSES; pass++) {
		for (let i = 0; i < words.length; i++) {
			hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193) + i;
			words[i] = hash;
			chain = chain * 0.999_999 + (hash & 0xff) * 1e-9;
		}
	}
	return hash + chain;
}

/** Median ns of `repetitions` of the work, after one that is not counted. One interruption does not move a median. */
export function timeCanary(repetitions = 9): number {
	const words = new Uint32Array(WORDS);
	canaryWork(words);
	const times = new Float64Array(repetitions);
	for (let i = 0; i < repetitions; i++) {
		const from = process.hrtime.bigint();
		canaryWork(words);
		times[i] = Number(process.hrtime.bigint() - from);
	}
	times.sort();
	return times[repetitions >> 1] ?? Number.NaN;
}

import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Uniform numbers in [0, 1), reproducible from a seed. Fits d3-random's `.source()`. */
export type Random = () => number;

/** A stream of uniform numbers in [0, 1) from an integer seed (xoroshiro128+, pure-rand). Equal seeds give equal streams. */
export function seededRandom(seed: number): Random {
	if (!Number.isInteger(seed)) throw new TypeError(`seed must be an integer, got ${seed}`);
	const generator = xoroshiro128plus(seed);
	// A small seed fills the state with few bits, and the first outputs show it: seed 12 starts at 0.9999….
	for (let skipped = 0; skipped < 32; skipped++) uniformFloat64(generator);
	return () => uniformFloat64(generator);
}

/** A new array in random order (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
	const result = [...items];
	for (let last = result.length - 1; last > 0; last--) {
		const other = Math.floor(random() * (last + 1));
		const held = result[last] as T;
		result[last] = result[other] as T;
		result[other] = held;
	}
	return result;
}

/** One 32-bit seed from several parts, so that (round, rate, …) each get a stream of their own (FNV-1a). */
export function deriveSeed(...parts: readonly (string | number)[]): number {
	let hash = 0x811c9dc5;
	for (const character of parts.join("|")) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
	}
	return hash >>> 0;
}

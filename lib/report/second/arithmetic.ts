/**
 * The report's own arithmetic. Nothing here, nor in the files beside it, imports `batching-lab/stats` or anything that
 * the laboratory computes with: two computations that share code agree even when both are wrong.
 */

/** Ascending copy of what is a number. */
export function ascending(values: Iterable<number>): Float64Array {
	const kept: number[] = [];
	for (const value of values) if (!Number.isNaN(value)) kept.push(value);
	return Float64Array.from(kept).sort();
}

/** The fewest samples of which the largest lies above the `percent`-th percentile with 97.5 %; found by multiplying on. */
function enough(percent: number): number {
	const side = percent >= 50 ? percent / 100 : 1 - percent / 100;
	let count = 0;
	for (let allBelow = 1; allBelow > 0.025; count++) allBelow *= side;
	return count;
}

/**
 * The smallest value of which at least `percent` % of all values are no larger; undefined with too few values.
 * Whole numbers only: percent in thousandths, so that no rounding can move the place.
 */
export function valueAt(sorted: Float64Array, percent: number): number | undefined {
	if (sorted.length < enough(percent)) return undefined;
	const thousandths = BigInt(Math.round(percent * 1000));
	const place = (thousandths * BigInt(sorted.length) + 99_999n) / 100_000n;
	return sorted[Number(place) - 1];
}

/** The value in the middle, or halfway between the two in the middle. */
export function middleOf(values: readonly number[]): number {
	const order = [...values].sort((a, b) => a - b);
	const half = order.length / 2;
	const low = order[Math.ceil(half) - 1] ?? Number.NaN;
	const high = order[Math.floor(half)] ?? Number.NaN;
	return low + (high - low) / 2;
}

/** Smallest and largest, by looking at each. */
export function ends(values: readonly number[]): readonly [low: number, high: number] {
	let low = Number.POSITIVE_INFINITY;
	let high = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		if (value < low) low = value;
		if (value > high) high = value;
	}
	return [low, high];
}

/** How many are above and below zero. */
export function signs(values: readonly number[]): readonly [up: number, down: number] {
	let up = 0;
	let down = 0;
	for (const value of values) {
		if (value > 0) up++;
		if (value < 0) down++;
	}
	return [up, down];
}

/** Standard deviation, from the sum of squared differences between all pairs: no mean is needed. */
export function scatter(values: readonly number[]): number {
	let squares = 0;
	for (const one of values) for (const other of values) squares += (one - other) ** 2;
	return Math.sqrt(squares / (2 * values.length * (values.length - 1)));
}

/** Area under the bell curve from its middle to z, by Simpson's rule with 2,000 parts. */
function halfBell(z: number): number {
	const parts = 2000;
	let sum = 0;
	for (let i = 0; i <= parts; i++) {
		const weight = i === 0 || i === parts ? 1 : i % 2 === 1 ? 4 : 2;
		sum += weight * Math.exp(-0.5 * ((z * i) / parts) ** 2);
	}
	return (sum * z) / (3 * parts) / Math.sqrt(2 * Math.PI);
}

/** The difference, in scatters, whose sign five rounds all show with 80 %: z with half + area(z) = 0.8^(1/5). */
export function findableScatters(): number {
	let [low, high] = [0, 4];
	for (let step = 0; step < 50; step++) {
		const z = (low + high) / 2;
		if (0.5 + halfBell(z) < 0.8 ** (1 / 5)) low = z;
		else high = z;
	}
	return (low + high) / 2;
}

/** Chance that at least `wanted` of some independent things happen: the first does or does not, then the others. */
export function atLeastSoMany(chances: readonly number[], wanted: number): number {
	if (wanted <= 0) return 1;
	const [first, ...others] = chances;
	if (first === undefined) return 0;
	return first * atLeastSoMany(others, wanted - 1) + (1 - first) * atLeastSoMany(others, wanted);
}

/**
 * Rounds after which the two-sided sign test at 1/16 finds, with 80 %, a difference of so many scatters; undefined
 * beyond 200. Both coins, the fair one and the one with the difference, are tossed on round by round.
 */
export function signTestRounds(scatters: number): number | undefined {
	const heads = 0.5 + halfBell(Math.min(Math.abs(scatters), 8));
	let [fair, biased] = [[1], [1]];
	const toss = (chances: readonly number[], p: number) =>
		[...chances, 0].map((chance, k) => chance * (1 - p) + (chances[k - 1] ?? 0) * p);
	for (let rounds = 1; rounds <= 200; rounds++) {
		[fair, biased] = [toss(fair, 0.5), toss(biased, heads)];
		if (rounds < 5) continue;
		let [tail, power] = [0, 0];
		for (let agreeing = rounds; agreeing > rounds / 2; agreeing--) {
			tail += fair[agreeing] ?? 0;
			if (2 * tail > 0.0625 * (1 + 1e-9)) break;
			power += biased[agreeing] ?? 0;
		}
		if (heads > 0.5 && power >= 0.8) return rounds;
	}
	return undefined;
}

/** How many of an ascending list lie in [from, to]; walks a pair of places forward with the question. */
export class Window {
	readonly #values: Float64Array;
	#from = 0;
	#to = 0;

	constructor(ascendingValues: Float64Array) {
		this.#values = ascendingValues;
	}

	/** Ask with rising ends only. */
	count(from: number, to: number): number {
		while (this.#from < this.#values.length && (this.#values[this.#from] ?? 0) < from) this.#from++;
		while (this.#to < this.#values.length && (this.#values[this.#to] ?? 0) <= to) this.#to++;
		return this.#to - this.#from;
	}
}

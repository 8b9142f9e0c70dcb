/**
 * A histogram that costs a few nanoseconds a value: counts in a typed array, nothing allocated. It is turned into
 * Prometheus text only when somebody asks (see exposition.ts).
 */
export class Counts {
	/** Upper bounds, inclusive, ascending; one more bucket (+Inf) follows. */
	readonly bounds: readonly number[];
	readonly #buckets: Float64Array;
	#sum = 0;
	#count = 0;

	constructor(bounds: readonly number[]) {
		this.bounds = bounds;
		this.#buckets = new Float64Array(bounds.length + 1);
	}

	/** @param value in the unit of the bounds */
	add(value: number): void {
		const { bounds } = this;
		let bucket = 0;
		// Bounds are few and most values are small: a walk beats a binary search here.
		while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
		this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
		this.#sum += value;
		this.#count++;
	}

	get sum(): number {
		return this.#sum;
	}

	get count(): number {
		return this.#count;
	}

	/** How many values were at most `bounds[i]`, for each i. */
	cumulative(): number[] {
		let total = 0;
		return this.bounds.map((_, index) => {
			total += this.#buckets[index] ?? 0;
			return total;
		});
	}
}

const powers = (first: number, count: number): number[] =>
	Array.from({ length: count }, (_, power) => first * 2 ** power);

/** 50 µs … 3.3 s, doubling: one bucket on each side of every latency that matters here. Seconds. */
export const DURATION_BOUNDS = powers(50e-6, 17);
/** 10 µs … 328 ms, doubling. Seconds. */
export const MODEL_TIME_BOUNDS = powers(10e-6, 16);
/** 1, 2, 4 … 1,024 rows, and the odd sizes in between that caps like 8 or 32 make common. */
export const BATCH_SIZE_BOUNDS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];

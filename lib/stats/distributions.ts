import { requireCount, StatsError } from "./errors.js";

/**
 * Φ(z), the standard normal distribution function, to about 1e-14: Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …)
 * (Marsaglia 2004). Beyond ±7.5 it is 0 or 1 to that precision.
 */
export function normalCdf(z: number): number {
	if (Math.abs(z) > 7.5) return z > 0 ? 1 : 0;
	let term = z;
	let sum = z;
	for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
		term *= (z * z) / odd;
		sum += term;
	}
	return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Student's t distribution function for whole degrees of freedom: a finite sum (Abramowitz and Stegun 26.7.3–4). */
export function studentCdf(t: number, freedom: number): number {
	requireCount("freedom", freedom);
	const angle = Math.atan(t / Math.sqrt(freedom));
	const square = Math.cos(angle) ** 2;
	const odd = freedom % 2 === 1;
	let term = odd ? Math.cos(angle) : 1;
	let sum = 0;
	for (let k = odd ? 1 : 0; k <= freedom - 2; k += 2) {
		sum += term;
		term *= (square * (k + 1)) / (k + 2);
	}
	const share = odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
	return 0.5 + share / 2;
}

/** The t that `share` of the distribution lies below; from ½ on, by halving. */
export function studentQuantile(share: number, freedom: number): number {
	if (!(share >= 0.5 && share < 1))
		throw new StatsError("BAD_NUMBER", `share must be at least 0.5 and below 1, got ${share}`);
	let high = 1;
	while (studentCdf(high, freedom) < share) high *= 2;
	let low = 0;
	for (let step = 0; step < 60; step++) {
		const middle = (low + high) / 2;
		if (studentCdf(middle, freedom) < share) low = middle;
		else high = middle;
	}
	return high;
}

import { requireCount, requireNumber } from "./errors.js";
import { smallestP } from "./paired.js";

/** P(at least `k` of `n`) when each happens with probability `p`, independently; exact sum of the binomial. */
export function binomialAtLeast(k: number, n: number, p: number): number {
	requireCount("n", n, 0);
	requireNumber("p", p, 0);
	if (k <= 0) return 1;
	if (k > n || p === 0) return 0;
	if (p >= 1) return 1;
	let logTerm = n * Math.log1p(-p);
	let below = 0;
	for (let i = 0; i < k; i++) {
		below += Math.exp(logTerm);
		logTerm += Math.log((n - i) / (i + 1)) + Math.log(p) - Math.log1p(-p);
	}
	if (below < 0.5) return Math.min(1, 1 - below);
	let above = 0;
	for (let i = k; i <= n; i++) {
		above += Math.exp(logTerm);
		if (i < n) logTerm += Math.log((n - i) / (i + 1)) + Math.log(p) - Math.log1p(-p);
	}
	return Math.min(1, above);
}

/** A setting compared with itself, several times: what "all rounds agree" is worth on this machine. */
export interface AgainstItself {
	/** Comparisons in which all rounds agreed in sign, although nothing differed. */
	readonly unanimous: number;
	readonly comparisons: number;
	/** The fewest rounds of a comparison. */
	readonly rounds: number;
	/** What chance alone gives: 2 × ½ⁿ, summed over the comparisons. */
	readonly expected: number;
	/** P(at least this many by chance); small = rounds drift together and verdicts here are worth less than they seem. */
	readonly p: number;
	/** "1 of 12 comparisons of a setting with itself (chance alone: 0.75)" */
	readonly words: string;
}

/** Chance of 0, 1, 2, … unanimous comparisons when nothing differs. Each has its own number of rounds, hence its own chance. */
function countsByLuck(differences: readonly (readonly number[])[]): number[] {
	let chances = [1];
	for (const { length } of differences) {
		const one = smallestP(length);
		const before = chances;
		chances = [...before, 0].map((chance, k) => chance * (1 - one) + (before[k - 1] ?? 0) * one);
	}
	return chances;
}

/**
 * A/A: counts how often the told-apart rule calls a setting different from itself. Give comparisons that share no run
 * (one statistic, different rates), since the p assumes them independent.
 *
 * @param differences one list of per-round differences a comparison
 */
export function againstItself(differences: readonly (readonly number[])[]): AgainstItself {
	const rounds = differences.length === 0 ? 0 : Math.min(...differences.map((list) => list.length));
	const unanimous = differences.filter(
		(list) => list.length > 0 && (list.every((value) => value > 0) || list.every((value) => value < 0)),
	).length;
	const expected = differences.reduce((sum, list) => sum + smallestP(list.length), 0);
	const comparisons = differences.length;
	const p = countsByLuck(differences)
		.slice(unanimous)
		.reduce((sum, chance) => sum + chance, 0);
	const words = `${unanimous} of ${comparisons} comparisons of a setting with itself (chance alone: ${Number(expected.toFixed(2))})`;
	return { unanimous, comparisons, rounds, expected, p, words };
}

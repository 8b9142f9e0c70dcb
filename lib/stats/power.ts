import { binomialAtLeast } from "./chance.js";
import { normalCdf } from "./distributions.js";
import { requireCount, requireNumber, StatsError } from "./errors.js";
import { ROUNDS_FOR_A_VERDICT, smallestP } from "./paired.js";

/**
 * Standard deviation of per-round differences: what a round scatters by on this machine. Few rounds know it badly: with
 * normal scatter the true value lies, in 95 % of experiments, between 0.52 and 6.3 times that of three rounds, 0.6 and
 * 2.9 times that of five, 0.69 and 1.8 times that of ten. All that is worked out from it below is uncertain by that factor.
 *
 * @throws {StatsError} `NO_SAMPLES` below two rounds.
 */
export function spread(differences: readonly number[]): number {
	if (differences.length < 2) throw new StatsError("NO_SAMPLES", "a spread needs at least two rounds");
	const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
	return Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1));
}

/** Probability that one round shows the true sign, if rounds scatter normally by `sd` around `difference`. */
function rightSign(difference: number, sd: number): number {
	return sd === 0 ? (difference === 0 ? 0.5 : 1) : normalCdf(Math.abs(difference) / sd);
}

/**
 * How likely the told-apart rule (all rounds agree, the right way round) finds a true `difference`.
 * More rounds make this rule *stricter*, not more powerful; they lower what chance can do (see `smallestP`).
 */
export function powerOfAllAgree(difference: number, sd: number, rounds: number): number {
	requireCount("rounds", rounds);
	return rightSign(difference, sd) ** rounds;
}

/**
 * The smallest difference that "all rounds agree" finds with probability `power` in `rounds` rounds, in the unit of `sd`:
 * Φ(difference / sd)ⁿ = power. Rounds are taken to scatter normally, by `sd` whatever the difference.
 */
export function smallestFindable(sd: number, rounds: number, power = 0.8): number {
	requireNumber("sd", sd, 0);
	requireCount("rounds", rounds);
	let low = 0;
	let high = 10;
	for (let step = 0; step < 60; step++) {
		const middle = (low + high) / 2;
		if (powerOfAllAgree(middle, 1, rounds) < power) low = middle;
		else high = middle;
	}
	return high * sd;
}

export interface PowerOptions {
	/** Probability of finding the difference. @default 0.8 */
	readonly power?: number;
	/** Two-sided level of the sign test. @default 0.0625, what five rounds that all agree can reach */
	readonly level?: number;
	/** @default 200 */
	readonly maxRounds?: number;
}

/**
 * How many rounds the exact sign test needs to tell a true `difference` apart, when one round scatters by `sd`
 * (the {@link spread} of an A/A comparison on this machine). The sign test is the told-apart rule with exceptions
 * allowed once there are rounds enough: at the same level, it needs all of 5 to 8 rounds, 8 of 9, 9 of 10, and so on.
 * Power goes up in steps like a saw: a round more than the answer may have a little less. Rounds are taken to scatter
 * normally, by `sd` whatever the difference.
 *
 * @returns null when `maxRounds` would not do: the difference is too small for this machine; make the runs longer.
 */
export function roundsNeeded(difference: number, sd: number, options: PowerOptions = {}): number | null {
	const { power = 0.8, level = smallestP(ROUNDS_FOR_A_VERDICT), maxRounds = 200 } = options;
	requireNumber("difference", difference);
	requireNumber("sd", sd, 0);
	const p = rightSign(difference, sd);
	if (p <= 0.5) return null;
	for (let rounds = ROUNDS_FOR_A_VERDICT; rounds <= maxRounds; rounds++) {
		if (binomialAtLeast(signsNeeded(rounds, level), rounds, p) >= power) return rounds;
	}
	return null;
}

/** The fewest agreeing rounds of `rounds` that the two-sided sign test at `level` accepts; `rounds + 1` = never. */
export function signsNeeded(rounds: number, level: number): number {
	for (let agreeing = Math.ceil(rounds / 2); agreeing <= rounds; agreeing++) {
		if (2 * binomialAtLeast(agreeing, rounds, 0.5) <= level * (1 + 1e-12)) return agreeing;
	}
	return rounds + 1;
}

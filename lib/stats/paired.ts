import { StatsError } from "./errors.js";
import { median } from "./percentile.js";
import { type Interval, roundsInterval } from "./rounds.js";

/** Below this many rounds nothing is ever "told apart": five coins of one side are the least that is remarkable. */
export const ROUNDS_FOR_A_VERDICT = 5;

export interface Verdict {
	/**
	 * `toldApart`: all of at least five rounds agree in sign. `notToldApart`: at least five rounds, and they do not.
	 * `tooFewRounds`: fewer than five; only what was seen is said, whatever it was.
	 */
	readonly kind: "toldApart" | "notToldApart" | "tooFewRounds";
	/** Sign most rounds have: −1 = the second is smaller; 0 = a draw, or all differences are 0. */
	readonly direction: -1 | 0 | 1;
	/** Rounds with that sign (0 with a draw of zeros only). */
	readonly agreeing: number;
	readonly rounds: number;
	/** The smallest p this many rounds can reach, two-sided: 2 × ½ⁿ. Five rounds: 0.0625. */
	readonly smallestP: number;
	/** "told apart in all 5 rounds" · "not told apart (4 of 5 rounds agree)" · "seen in 3 of 3 rounds" · "undecided (2 of 3 rounds agree)" */
	readonly words: string;
}

export interface Comparison {
	/** second − first, one a round, on the same arrivals. */
	readonly differences: readonly number[];
	readonly median: number;
	/** [smallest, largest] difference and how often such a range holds the true median. */
	readonly interval: Interval;
	readonly verdict: Verdict;
}

/** The smallest two-sided p that `rounds` rounds can reach under the sign rule: all heads or all tails. */
export function smallestP(rounds: number): number {
	return rounds < 1 ? 1 : Math.min(1, 2 * 0.5 ** rounds);
}

/**
 * The lesson's rule: two settings are told apart when all rounds agree in sign. A difference of exactly 0 agrees with
 * nobody, which makes the rule stricter, never looser. Fewer than five rounds never give a verdict, only "seen in n of n"; where they disagree it is undecided, since
 * of three rounds two agree whatever happens.
 *
 * `smallestP` holds for one comparison that was chosen beforehand. Among many, 2 × ½ⁿ of those without any difference are
 * told apart all the same: state how many were made beside how many that would be.
 *
 * @throws {StatsError} `NO_SAMPLES` without rounds, `NOT_FINITE` for a difference that is not a number.
 */
export function toldApart(differences: readonly number[]): Verdict {
	if (differences.length === 0) throw new StatsError("NO_SAMPLES", "a verdict needs at least one round");
	const bad = differences.findIndex((difference) => !Number.isFinite(difference));
	if (bad >= 0) throw new StatsError("NOT_FINITE", `the difference of round ${bad} is ${differences[bad]}`);
	const rounds = differences.length;
	const up = differences.filter((difference) => difference > 0).length;
	const down = differences.filter((difference) => difference < 0).length;
	const agreeing = Math.max(up, down);
	const direction = up > down ? 1 : down > up ? -1 : 0;
	const unanimous = agreeing === rounds;
	const kind = rounds < ROUNDS_FOR_A_VERDICT ? "tooFewRounds" : unanimous ? "toldApart" : "notToldApart";
	const words = {
		toldApart: `told apart in all ${rounds} rounds`,
		notToldApart: `not told apart (${agreeing} of ${rounds} rounds agree)`,
		tooFewRounds: unanimous
			? `seen in ${agreeing} of ${rounds} ${rounds === 1 ? "round" : "rounds"}`
			: `undecided (${agreeing} of ${rounds} rounds agree)`,
	}[kind];
	return { kind, direction, agreeing, rounds, smallestP: smallestP(rounds), words };
}

/**
 * Compares two settings round by round. `first[i]` and `second[i]` must come from the same round, hence the same
 * arrivals. This is the only way here to rank two settings: that each differs from a third says nothing about them.
 *
 * @throws {StatsError} `UNPAIRED` when the lists differ in length; as {@link toldApart}.
 */
export function comparePaired(first: readonly number[], second: readonly number[]): Comparison {
	if (first.length !== second.length) {
		throw new StatsError(
			"UNPAIRED",
			`${first.length} rounds against ${second.length}; a paired comparison needs the same rounds on both sides`,
			"compare only the rounds that both settings finished",
		);
	}
	const differences = first.map((value, i) => (second[i] ?? Number.NaN) - value);
	const verdict = toldApart(differences);
	return { differences, median: median(differences), interval: roundsInterval(differences), verdict };
}

import { CodedError } from "../../base/index.js";
import { tell } from "../tell.js";

/** One question of a notebook, as `check` sees it. */
export interface Exercise {
	/** Read from the reader's own record, or from the virtual clock; never a constant where it was measured. */
	readonly expected: () => number | Promise<number>;
	/** How far off an answer may be, as a share of the expected one; 0 for counts. */
	readonly tolerance: number;
	/** Where to look, when there is no answer yet or a wrong one. Never the answer. */
	readonly hint: string;
	/** What the right answer says. */
	readonly because: string;
}

export type Check = (question: number, answer: number | undefined) => Promise<boolean>;

/**
 * `check(n, answer)` for the exercises of one notebook. Shows whether the answer is right and returns it; without an
 * answer it shows the hint.
 *
 * @throws {CodedError} `UNKNOWN_EXERCISE`, `BAD_ANSWER` for something that is no number
 */
export function checker(notebook: string, exercises: readonly Exercise[]): Check {
	return async (question, answer) => {
		const exercise = exercises[question - 1];
		if (exercise === undefined) {
			throw new CodedError(
				"UNKNOWN_EXERCISE",
				`notebook ${notebook} has exercises 1 to ${exercises.length}, got ${question}`,
			);
		}
		if (answer === undefined) {
			tell(`**Question ${numberWord(question)}:** no answer yet. ${exercise.hint}`);
			return false;
		}
		if (typeof answer !== "number" || !Number.isFinite(answer)) {
			throw new CodedError("BAD_ANSWER", `an answer is a number, got ${String(answer)} (${typeof answer})`);
		}
		const expected = await exercise.expected();
		const right = Math.abs(answer - expected) <= exercise.tolerance * Math.abs(expected) + 1e-9;
		tell(right ? `**Right.** ${exercise.because}` : `**Not yet.** ${exercise.hint}`);
		return right;
	};
}

const numberWord = (question: number) => ["zero", "one", "two", "three", "four"][question] ?? String(question);

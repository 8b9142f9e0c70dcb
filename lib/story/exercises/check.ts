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

/** Shows below the cell whether the answer is right. */
export type Check = (question: number, answer: number | undefined) => Promise<void>;

/** What `check` shows, and whether the answer is right; without an answer it is not. */
export interface Grade {
	readonly right: boolean;
	readonly markdown: string;
}

/**
 * Grades one answer of a notebook; without an answer it gives the hint.
 *
 * @throws {CodedError} `UNKNOWN_EXERCISE`, `BAD_ANSWER` for something that is no number
 */
export async function grade(
	notebook: string,
	exercises: readonly Exercise[],
	question: number,
	answer: number | undefined,
): Promise<Grade> {
	const exercise = exercises[question - 1];
	if (exercise === undefined) {
		throw new CodedError(
			"UNKNOWN_EXERCISE",
			`notebook ${notebook} has exercises 1 to ${exercises.length}, got ${question}`,
		);
	}
	if (answer === undefined) {
		return { right: false, markdown: `**Question ${numberWord(question)}:** no answer yet. ${exercise.hint}` };
	}
	if (typeof answer !== "number" || !Number.isFinite(answer)) {
		throw new CodedError("BAD_ANSWER", `an answer is a number, got ${String(answer)} (${typeof answer})`);
	}
	const expected = await exercise.expected();
	const right = Math.abs(answer - expected) <= exercise.tolerance * Math.abs(expected) + 1e-9;
	return { right, markdown: right ? `**Right.** ${exercise.because}` : `**Not yet.** ${exercise.hint}` };
}

/** `check(n, answer)` for the exercises of one notebook. @throws as {@link grade} */
export function checker(notebook: string, exercises: readonly Exercise[]): Check {
	return async (question, answer) => tell((await grade(notebook, exercises, question, answer)).markdown);
}

const numberWord = (question: number) => ["zero", "one", "two", "three", "four"][question] ?? String(question);

import { CodedError } from "../base/index.js";
import type { LabRun } from "../lab/index.js";
import { tell } from "./tell.js";

/** What a reader may guess, by the name used in the notebooks: the key of the fact that settles it, and the question. */
export const READER_GUESSES = {
	gbtOneRowUs: { key: "alone/gbt/1/callUs", text: "microseconds of one call of gbt with one row" },
	gbt1024RowsUs: { key: "alone/gbt/1024/callUs", text: "microseconds of one call of gbt with 1,024 rows" },
	gbtDifferingPercent: {
		key: "bits/gbt/worstPercent",
		text: "percent of rows whose score gbt changes in company, at worst",
	},
	ftDifferingPercent: {
		key: "bits/ft/worstPercent",
		text: "percent of rows whose score ft changes in company, at worst",
	},
	gbtS: { key: "saturation/gbt/none/answersPerSecond", text: "S of gbt, answers a second" },
	gbtB32w0Times: { key: "saturation/gbt/b32w0/timesS", text: "saturation of b32w0 as a multiple of S, for gbt" },
	ftB32w0Times: { key: "saturation/ft/b32w0/timesS", text: "saturation of b32w0 as a multiple of S, for ft" },
	ftNoneKeepsUpTo: { key: "sweep/ft/none/highestKept", text: "highest multiple of S at which none keeps up, for ft" },
	ftB32w0KeepsUpTo: {
		key: "sweep/ft/b32w0/highestKept",
		text: "highest multiple of S at which b32w0 keeps up, for ft",
	},
	addedP50OfW2Ms: {
		key: "pair/gbt/b32w2~none/x0.5/p50Ms/median",
		text: "milliseconds that W = 2 ms adds to the median at half of S, for gbt",
	},
} as const;
export type ReaderGuess = keyof typeof READER_GUESSES;

const isGuess = (name: string): name is ReaderGuess => Object.hasOwn(READER_GUESSES, name);

/**
 * Writes the reader's guesses down, with their date. They count if they are in the record before the first timed run
 * of their notebook; the record marks the others "added later".
 *
 * @throws {CodedError} `UNKNOWN_GUESS`, `BAD_GUESS`
 */
export function guess(run: Pick<LabRun, "guess">, guesses: Partial<Record<ReaderGuess, number | undefined>>): void {
	const written: string[] = [];
	for (const [name, value] of Object.entries(guesses)) {
		if (!isGuess(name))
			throw new CodedError(
				"UNKNOWN_GUESS",
				`unknown guess "${name}"; there are ${Object.keys(READER_GUESSES).join(", ")}`,
			);
		if (value === undefined) continue;
		if (typeof value !== "number" || !Number.isFinite(value))
			throw new CodedError("BAD_GUESS", `a guess is a number, got ${String(value)} for ${name}`);
		run.guess({ ...READER_GUESSES[name], value });
		written.push(`\`${name}\``);
	}
	tell(written.length === 0 ? "No guess." : `Written down: ${written.join(", ")}.`);
}

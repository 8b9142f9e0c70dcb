import type { GuessRow, Json } from "../record/index.js";
import { AUTHOR_GUESSES, type Claim } from "./author-guesses.js";

function toJson(claim: Claim): Json {
	return { ...claim };
}

/** Rows for the record: what is hashed and dated before the first timed run. */
export function authorGuessRows(): Pick<GuessRow, "key" | "author" | "text" | "value">[] {
	return AUTHOR_GUESSES.map(({ key, text, claims }) => ({ key, author: "author", text, value: claims.map(toJson) }));
}

/** Where guesses are written: a `LabRun`, or a record that is open for writing. */
export interface GuessBook {
	readonly guesses: readonly Pick<GuessRow, "key" | "author" | "text" | "value">[];
	readonly write: (guess: Pick<GuessRow, "key" | "author" | "text" | "value">) => void;
}

/**
 * Writes the author's guesses into a record that does not hold them yet, as they stand now. Call it when a run is
 * opened, before anything is timed: the record itself marks what comes later as "added later".
 *
 * @returns how many were written
 */
export function recordGuesses({ guesses, write }: GuessBook): number {
	const known = new Set(
		guesses.filter(({ author }) => author === "author").map(({ key, value }) => `${key} ${JSON.stringify(value)}`),
	);
	const missing = authorGuessRows().filter(({ key, value }) => !known.has(`${key} ${JSON.stringify(value)}`));
	for (const guess of missing) write(guess);
	return missing.length;
}

import type { GuessRow, Json } from "../record/index.js";
import { AUTHOR_GUESSES, type Claim } from "./author-guesses.js";
import type { RecordFacts } from "./source.js";

export interface Grade {
	readonly key: string;
	readonly author: "author" | "reader";
	/** Number of the lesson's guess that it restates. */
	readonly lesson: string | null;
	readonly text: string;
	/**
	 * `right`, `wrong`; `open` = this record does not hold what would settle it (not measured, too few rounds for
	 * "told apart", or rounds that disagree about who is faster).
	 */
	readonly grade: "right" | "wrong" | "open";
	/** What it was held against: keys and numbers; null where the record has none. `against`: what the one before had to be equal to, or no more than. */
	readonly found: readonly { readonly fact: string; readonly value: number | null; readonly against?: true }[];
	/** A reader's own number. */
	readonly guessed: number | null;
	/** When it was written down, and whether something it is about had been measured by then. */
	readonly at: string;
	readonly addedLater: boolean;
	readonly sha256: string;
}

/** A reader is right within a quarter of the number itself, or within 0.25 where the number is that small. */
export const READER_TOLERANCE = 0.25;

export type Lookup = (key: string) => number | undefined;

function holds({ fact, is, value, to, than }: Claim, lookup: Lookup): boolean | undefined {
	const found = lookup(fact);
	const against = than === undefined ? value : lookup(than);
	if (found === undefined || against === undefined) return undefined;
	if (is !== "between" && value === 0 && !agreed(fact, lookup)) return undefined;
	if (is === "atLeast") return found >= against;
	if (is === "atMost") return found <= against;
	if (is === "equal") return found === against;
	return found >= against && found <= (to ?? against);
}

/** Which of two settings is faster is settled only where all rounds, and at least two, went one way. */
function agreed(fact: string, lookup: Lookup): boolean {
	const key = /^(pair\/.+)\/median$/.exec(fact)?.[1];
	if (key === undefined) return true;
	const [agree = 0, rounds = 0] = ["agree", "rounds"].map((name) => lookup(`${key}/${name}`));
	return rounds >= 2 && agree === rounds;
}

function isClaim(value: unknown): value is Claim {
	return (
		typeof value === "object" &&
		value !== null &&
		"fact" in value &&
		typeof value.fact === "string" &&
		"is" in value &&
		"value" in value
	);
}

function isList(value: Json): value is readonly Json[] {
	return Array.isArray(value);
}

/** The claims of an author's guess as the record holds them: those are graded, not the ones in today's code. */
function claimsOf(value: Json): Claim[] {
	const parts: readonly unknown[] = isList(value) ? value : [];
	return parts.filter(isClaim);
}

function gradeAuthor(row: GuessRow, lookup: Lookup): Pick<Grade, "grade" | "found" | "guessed"> {
	const claims = claimsOf(row.value);
	const results = claims.map((claim) => holds(claim, lookup));
	const grade = results.includes(false)
		? "wrong"
		: results.length === 0 || results.includes(undefined)
			? "open"
			: "right";
	const found = claims.flatMap(({ fact, than }) => [
		{ fact, value: lookup(fact) ?? null },
		...(than === undefined ? [] : [{ fact: than, value: lookup(than) ?? null, against: true as const }]),
	]);
	return { grade, found, guessed: null };
}

function gradeReader(row: GuessRow, lookup: Lookup): Pick<Grade, "grade" | "found" | "guessed"> {
	const found = lookup(row.key);
	const guessed = typeof row.value === "number" ? row.value : null;
	const known = [{ fact: row.key, value: found ?? null }];
	if (found === undefined || guessed === null) return { grade: "open", found: known, guessed };
	const near = Math.abs(guessed - found) <= READER_TOLERANCE * Math.max(1, Math.abs(found));
	return { grade: near ? "right" : "wrong", found: known, guessed };
}

/** Families whose numbers come from closed loops, as a sweep also makes them to set its rates; the others are open loops. */
const CLOSED = new Set(["saturation", "coreTime", "controls", "pace"]);

/** The first moment at which something was measured that settles a key: later guesses are no guesses. */
function measuredFrom(key: string, facts: RecordFacts): string | undefined {
	const family = key.split("/")[0] ?? "";
	const purpose = (word: string) => facts.starts.filter((start) => start.purpose.startsWith(word)).map(({ at }) => at);
	const began = (kind: "closed" | "open") =>
		facts.runs.filter((run) => run.kind === kind).map(({ beganAt }) => beganAt);
	const own =
		family === "alone"
			? purpose("model alone")
			: family === "bits"
				? purpose("bit check")
				: began(CLOSED.has(family) ? "closed" : "open");
	const rows =
		family === "alone"
			? facts.modelAlone.map(({ at }) => at)
			: family === "bits"
				? facts.bitChecks.map(({ at }) => at)
				: [];
	return [...own, ...rows].sort()[0];
}

function isLater(row: GuessRow, facts: RecordFacts): boolean {
	const keys = row.author === "reader" ? [row.key] : claimsOf(row.value).map(({ fact }) => fact);
	return keys.some((key) => {
		const from = measuredFrom(key, facts);
		return from !== undefined && row.at > from;
	});
}

/**
 * Grades every guess that a record holds, the author's first, in the order in which they were written. A reader who
 * guessed the same thing twice is graded on the first guess; later ones are there and marked.
 */
export function gradeGuesses(facts: RecordFacts, lookup: Lookup): Grade[] {
	const seen = new Set<string>();
	const rows = [...facts.guesses].sort((a, b) => a.author.localeCompare(b.author) || a.id - b.id);
	return rows.map((row) => {
		const again = seen.has(`${row.author} ${row.key}`);
		seen.add(`${row.author} ${row.key}`);
		const graded = row.author === "author" ? gradeAuthor(row, lookup) : gradeReader(row, lookup);
		return {
			key: row.key,
			author: row.author,
			lesson: AUTHOR_GUESSES.find(({ key }) => key === row.key)?.lesson ?? null,
			text: row.text,
			...graded,
			at: row.at,
			addedLater: again || isLater(row, facts),
			sha256: row.sha256,
		};
	});
}

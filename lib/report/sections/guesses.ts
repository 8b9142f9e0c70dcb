import type { Grade } from "../grade.js";
import { fact, prose, rounded } from "../prose.js";
import { table } from "../table.js";
import { code, type Section } from "./context.js";

/** The guesses that carry the story; the others are about details. */
const STORY = ["lesson-4", "lesson-8", "ours-1", "lesson-7a", "lesson-6a", "ours-3"];

/** How a number is said, by what its key ends with: a unit, or words around it. */
const SAID: readonly (readonly [key: RegExp, unit: string, around?: string])[] = [
	[/Us$/, "µs"],
	[/\/p\d+Ms\/(?:median|low|high)$|WaitMs$|Ms$/, "ms"],
	[/savedPercent$/, "%", "cheaper by …"],
	[/Percent$/, "%"],
	[/sizesThatDiffer$/, "", "sizes that differ: …"],
	[/answersPerSecond$/, "", "… a second"],
	[/(?:timesS|highestKept)$/, "× S"],
	[/(?:timesOneCall|deferredTimes|cheaperTimes)$/, "times"],
	[/keptUpRounds$/, "", "rounds kept up: …"],
	[/plateauSize$/, "rows"],
	[/timedSlower$/, "", "settings slower: …"],
	[/freeNotToldApart$/, "", "settings not told apart: …"],
	[/ratio$/, "", "counted ÷ law = …"],
];

function said({ fact: key, value, against }: Grade["found"][number]): string {
	if (against === true)
		return value === null ? "" : `${/highestKept$/.test(key) ? "against" : "of"} ${plain(key, value)}`;
	if (value === null)
		return /toldApart$|timedSlower$|freeNotToldApart$/.test(key) ? "too few rounds to tell" : "not measured";
	if (/toldApart$/.test(key))
		return value === 0 ? "not told apart" : value < 0 ? "lower, told apart" : "higher, told apart";
	return plain(key, value);
}

function plain(key: string, value: number): string {
	const [, unit = "", around = "…"] = SAID.find(([pattern]) => pattern.test(key)) ?? [key, ""];
	return around.replace("…", prose`${fact(key, value, unit)}`);
}

/** A guess's own numbers are quoted, not results: they stand as code. */
function plainNumbers(text: string): string {
	return text.replace(/\d[\d,.]*\d|\d/g, (number, at: number) =>
		/[a-z]/i.test(text[at - 1] ?? "") ? number : code(number),
	);
}

const LATE = " (added later, does not count)";

/** A direction was claimed and measured, and still nothing is decided: then the rounds did not agree on it. */
function disagreeing({ author, grade, found }: Grade): string {
	const paired =
		author === "author" && found.some(({ fact: key, value }) => /^pair\/.*\/median$/.test(key) && value !== null);
	return grade === "open" && paired ? ", undecided: the rounds do not agree" : "";
}

function rowOf(grade: Grade): string[] {
	const guessed = grade.guessed === null ? "" : `: ${code(rounded(grade.guessed))}`;
	// What was not measured is not compared with anything either.
	const known = grade.found.filter(({ against }, at) => against !== true || grade.found[at - 1]?.value !== null);
	const found = [...new Set(known.map(said))].filter((words) => words !== "");
	return [
		`${plainNumbers(grade.text)}${guessed}`,
		found.length === 0 ? "not measured" : `${found.join(", ").replaceAll(", of ", " of ")}${disagreeing(grade)}`,
		`**${grade.grade}**${grade.addedLater ? LATE : ""}`,
	];
}

/** Every guess with its grade and the number that decided; those of the story first. */
export function guesses(grades: readonly Grade[]): Section {
	const title = "Guesses, graded";
	if (grades.length === 0)
		return { id: "guesses", title, markdown: "No guess was written down in this record.", addedLater: false };
	const head = ["guess", "found", ""];
	const author = grades.filter((grade) => grade.author === "author");
	const groups = [
		["The author's guesses that carry the story:", author.filter(({ key }) => STORY.includes(key))],
		[
			"Those about details (`b1w0` is a bus with one seat; Little's law is explained in the appendix):",
			author.filter(({ key }) => !STORY.includes(key)),
		],
		["Yours:", grades.filter((grade) => grade.author === "reader")],
	] as const;
	const tables = groups.flatMap(([words, own]) =>
		own.length === 0 ? [] : [`${words}\n\n${table([head, ...own.map(rowOf)])}`],
	);
	return { id: "guesses", title, markdown: `${tables.join("\n\n")}\n\n${summary(grades)}`, addedLater: false };
}

function summary(grades: readonly Grade[]): string {
	const inTime = grades.filter(({ addedLater }) => !addedLater);
	const count = (kind: Grade["grade"]) =>
		inTime.filter(({ author, grade }) => author === "author" && grade === kind).length;
	const readers = inTime.filter(({ author }) => author === "reader");
	const restated = grades.some(({ lesson }) => lesson !== null)
		? " Some of them restate the lesson's guesses for this service."
		: "";
	const authors = prose`Of the author's guesses ${fact("guesses/right", count("right"))} are right, ${fact("guesses/wrong", count("wrong"))} wrong and ${fact("guesses/open", count("open"))} open here.`;
	const yours =
		readers.length === 0
			? "You made no guess in time."
			: prose`You are right (within ${fact("rule/readerTolerancePercent", 25, "%")}, or within a quarter where the number is below one) with ${fact("guesses/readerRight", readers.filter(({ grade }) => grade === "right").length)} of ${fact("guesses/reader", readers.length)}.`;
	return `${authors}${restated} ${yours}`;
}

/** What a record says: every number twice, the guesses graded, the prose checked, one point looked up. */
export { AUTHOR_GUESSES, type AuthorGuess, type Claim } from "./author-guesses.js";
export { isPair } from "./cells.js";
export { type Computed, type ComputeOptions, computeNumbers } from "./compute.js";
export { type FactCheck, type FactProblem, factCheck, notebooksIn } from "./factcheck.js";
export { ReportFigures } from "./figures.js";
export { type Grade, gradeGuesses, READER_TOLERANCE } from "./grade.js";
export {
	authorGuessRows,
	type GuessBook,
	recordGuesses,
} from "./guesses.js";
export {
	type LookupAnswer,
	type LookupEntry,
	type LookupQuestion,
	lookUp,
	lookupEntries,
} from "./lookup.js";
export { lookupBox } from "./lookup-box.js";
export type { Resolved } from "./lookup-facts.js";
export type { Numbers } from "./numbers.js";
export { openSource, sourceOf } from "./open.js";
export { partOfGain } from "./part-of-gain.js";
export { plainText } from "./plain.js";
export { type Fact, fact, prose, rounded } from "./prose.js";
export { bareNumbers, type KeyedNumber, keyedNumbers } from "./prose-numbers.js";
export { besideOf, REFERENCES, type Reference } from "./reference.js";
export { makeReport, pickSections, type Report, type Section, sectionsOf } from "./report.js";
export type { RawRun, RecordFacts, ReportSource } from "./source.js";
export { summariseRun } from "./summarise.js";
export { SUMMARISED_FILE, writeSummarised } from "./summarised.js";
export { table } from "./table.js";
export { compareScores, type ScoreComparison, twoReports } from "./two.js";

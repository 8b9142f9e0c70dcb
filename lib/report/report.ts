import { CodedError } from "../base/index.js";
import { type Computed, type ComputeOptions, computeNumbers } from "./compute.js";
import { type Grade, gradeGuesses } from "./grade.js";
import { type Resolved, resolver } from "./lookup-facts.js";
import { answer } from "./sections/answer.js";
import { batches, stages } from "./sections/batches.js";
import { againstItself, clumps, little } from "./sections/checks.js";
import { best, timedWait } from "./sections/compare.js";
import { limits, quiet } from "./sections/conduct.js";
import { Context, type Section } from "./sections/context.js";
import { saturation } from "./sections/core-time.js";
import { guesses } from "./sections/guesses.js";
import { headline } from "./sections/headline.js";
import { alone, bits } from "./sections/model.js";
import { sixRules } from "./sections/rules.js";
import { sameStory } from "./sections/same-story.js";
import { fiveSteps } from "./sections/steps.js";
import { tail } from "./sections/tail.js";
import { priceOfWait, realWaits } from "./sections/wait.js";
import type { RecordFacts, ReportSource } from "./source.js";

export type { Section } from "./sections/context.js";

/** A record, computed twice and written out. */
export interface Report extends Computed {
	readonly path: string;
	readonly facts: RecordFacts;
	readonly sections: readonly Section[];
	readonly grades: readonly Grade[];
	/** What any key of the prose stands for. */
	readonly resolve: (key: string) => Resolved;
}

/** Numbers that only the report itself counts. */
function counted(grades: readonly Grade[], facts: RecordFacts): Map<string, number> {
	const inTime = grades.filter(({ addedLater }) => !addedLater);
	const of = (author: Grade["author"], grade?: Grade["grade"]) =>
		inTime.filter((one) => one.author === author && (grade === undefined || one.grade === grade)).length;
	const rounds = new Map<string, number>();
	for (const run of facts.runs) {
		if (run.kind !== "open" || run.verdict === "INVALID") continue;
		const cell = `${run.model} ${run.setting} ${run.role} ${run.rateMultiple}`;
		rounds.set(cell, (rounds.get(cell) ?? 0) + 1);
	}
	return new Map([
		["guesses/right", of("author", "right")],
		["guesses/wrong", of("author", "wrong")],
		["guesses/open", of("author", "open")],
		["guesses/reader", of("reader")],
		["guesses/readerRight", of("reader", "right")],
		["quiet/otherRuns", facts.otherRuns],
		["report/runs", facts.runs.length],
		["limits/seconds", Math.max(0, ...facts.runs.filter(({ kind }) => kind === "open").map(({ seconds }) => seconds))],
		["limits/rounds", Math.max(0, ...rounds.values())],
	]);
}

/**
 * Every part of a report, in the order in which notebook 06 tells them; what shows that the numbers are right comes
 * last. A part that the record has no data for is left out.
 */
export function sectionsOf(facts: RecordFacts, computed: Computed, grades: readonly Grade[]): Section[] {
	const context = new Context(facts, computed);
	return [
		answer(context),
		headline(context),
		priceOfWait(context),
		realWaits(context),
		alone(context),
		bits(context),
		saturation(context),
		batches(context),
		tail(context),
		sameStory(context),
		guesses(grades),
		fiveSteps(context),
		sixRules(context),
		limits(context),
		quiet(context),
		againstItself(context),
		best(context),
		timedWait(context),
		clumps(context),
		stages(context),
		little(context),
	].filter((section) => section !== null);
}

/**
 * Makes the report of a record: every number computed twice, every guess graded, every analysis in Markdown whose
 * numbers carry their keys.
 *
 * @throws {CodedError} `REPORT_DIFFERS`, exit code 1.
 */
export function makeReport(source: ReportSource, options: ComputeOptions = {}): Report {
	const computed = computeNumbers(source, options);
	const { facts } = source;
	const grades = gradeGuesses(facts, (key) => computed.numbers.get(key));
	const numbers = new Map([
		...computed.numbers,
		...counted(grades, facts),
		["report/checked", computed.checked],
		["report/runs", facts.runs.length],
	]);
	const sections = sectionsOf(facts, { ...computed, numbers }, grades);
	const resolve = resolver({ numbers, runs: computed.runs }, facts);
	return { ...computed, numbers, path: source.path, facts, sections, grades, resolve };
}

/**
 * The sections of a report, or the one that is asked for.
 *
 * @throws {CodedError} `UNKNOWN_SECTION` naming those there are.
 */
export function pickSections({ sections }: Pick<Report, "sections">, only?: string): readonly Section[] {
	if (only === undefined) return sections;
	const found = sections.filter(({ id }) => id === only);
	if (found.length > 0) return found;
	const known = sections.map(({ id }) => id).join(", ");
	throw new CodedError("UNKNOWN_SECTION", `there is no section "${only}" in this report; there are ${known}`);
}

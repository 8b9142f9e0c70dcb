import { CodedError, displayMime } from "../base/index.js";
import { fact, lookupBox, makeReport, prose, type Report, sourceOf } from "../report/index.js";
import { tell } from "./tell.js";
import type { Source } from "./values.js";

/** The report of a run: every number of its record computed twice. @throws {CodedError} `REPORT_DIFFERS` */
export function reportOf({ record }: Source): Report {
	return makeReport(sourceOf(record));
}

/** How many numbers were computed twice. */
export function recomputed({ checked, facts, summarised }: Report): void {
	const runs = facts.runs.length;
	tell(
		prose`**${fact("report/checked", checked)} numbers** from ${fact("report/runs", runs)} runs were computed twice, and the two computations agree.${summarised ? " The record is a summarised copy, so percentiles are exact to the width of a bin." : ""}`,
	);
}

/** One section of the report. A section that this profile has no data for says so. */
export function section(report: Report, id: string): void {
	const found = report.sections.find((one) => one.id === id);
	if (found === undefined) {
		tell("This profile did not measure what this part needs.");
		return;
	}
	tell(found.addedLater ? `*Added later: this was not in the design.*\n\n${found.markdown}` : found.markdown);
}

/** The box to look a point up. */
export function showLookupBox(report: Report): void {
	const { html, entries, selfTests } = lookupBox(report);
	displayMime({
		"text/html": html,
		"text/plain": `Look-up box: ${entries.length} points, ${selfTests} self-tests passed.`,
	});
}

/** A number of the report with its key, or the words for its absence. */
export function shown(report: Report, key: string, unit = "", missing = "not measured"): string {
	const value = report.numbers.get(key);
	return value === undefined ? missing : prose`${fact(key, value, unit)}`;
}

/** What a report's models are called, as measured. */
export function modelsOf(report: Report): string[] {
	return report.facts.models.map(({ name }) => name).sort((a, b) => Number(b === "gbt") - Number(a === "gbt"));
}

/** How many of the author's guesses came true. @throws {CodedError} `NOT_MEASURED` without a report */
export function guessesRight(report: Report | undefined): number {
	if (report === undefined)
		throw new CodedError("NOT_MEASURED", "the exercises of notebook 06 need its report", { exitCode: 1 });
	return report.grades.filter(({ author, grade }) => author === "author" && grade === "right").length;
}

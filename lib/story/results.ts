import { displayMime } from "../base/index.js";
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
	const open = facts.runs.filter(({ kind }) => kind === "open").length;
	const closed = prose`${fact("minus/report/runs;quiet/runs", runs - open)} closed loops`;
	const parts = open === 0 ? "" : prose` (${fact("quiet/runs", open)} of the sweep, ${closed})`;
	tell(
		prose`**${fact("report/checked", checked)} numbers** from ${fact("report/runs", runs)} runs${parts} were computed twice, and the two computations agree to the ninth digit.${summarised ? " The record is a summarised copy, so percentiles are exact to the width of a bin." : ""} Two programs that agree show that we calculated rightly. They cannot show that we measured rightly; what we did for that comes next.`,
	);
}

/** What was asked only after results had been seen is marked, in words that say what to make of it. */
const ADDED_LATER =
	"*Added later: the lesson asked this only after it had seen its results, and it is not in this workbook's design either. Take the answer as a hint, not as a proof.*";

/** One section of the report. A section that this profile has no data for says so. */
export function section(report: Report, id: string): void {
	const found = report.sections.find((one) => one.id === id);
	if (found === undefined) {
		tell("This profile did not measure what this part needs.");
		return;
	}
	tell(found.addedLater ? `${ADDED_LATER}\n\n${found.markdown}` : found.markdown);
}

/** The box to look a point up. */
export function showLookupBox(report: Report): void {
	const { html, entries, selfTests } = lookupBox(report);
	displayMime({
		"text/html": html,
		"text/plain": `Look-up box: ${entries.length} measured combinations of model, setting and rate, ${selfTests} self-tests passed.`,
	});
}

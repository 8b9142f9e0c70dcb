import type { Grade } from "../grade.js";
import { fact, prose, rounded } from "../prose.js";
import { type Context, code, type Section, table } from "./context.js";

/** How quiet the machine was, what drifted, and who wrote into the system log meanwhile. */
export function quiet(context: Context): Section | null {
	if (context.value("quiet/runs") === undefined) return null;
	const sources = [...context.computed.numbers.keys()].flatMap((key) => /^journal\/(.+)\/lines$/.exec(key)?.[1] ?? []);
	const order = sources.sort(
		(a, b) => (context.value(`journal/${b}/lines`) ?? 0) - (context.value(`journal/${a}/lines`) ?? 0),
	);
	const journal =
		order.length === 0
			? "Lines of the system log: not available, or none."
			: `Lines of the system log during runs: ${order.map((source) => `${context.show(`journal/${source}/lines`)} from ${code(source)} in ${context.show(`journal/${source}/runs`)} runs`).join("; ")}.`;
	const lines = [
		`- ${context.show("quiet/runs")} open-loop runs count; ${context.show("quiet/invalid")} INVALID, ${context.show("quiet/late")} LATE, ${context.show("quiet/notQuiet")} not quiet before, ${context.show("quiet/drifted")} drifted. ${context.facts.otherRuns === 0 ? "None was left out." : `Left out because unfinished, failed or measured again: ${prose`${fact("quiet/otherRuns", context.facts.otherRuns)}`}.`}`,
		`- Least idle before a run: ${context.show("quiet/lowestIdlePercent", "%")}. Most steal: ${context.show("quiet/largestStealPercent", "%", "not available")}. The fixed piece of work differed by ${context.show("quiet/canarySpreadPercent", "%")} between its fastest and slowest run.`,
		`- ${journal}`,
		`- A round in which the machine drifted takes no part in a paired comparison.`,
	];
	return { id: "quiet", title: "How quiet it was", markdown: lines.join("\n"), addedLater: false };
}

/** Every guess with its grade and the number that decided. */
export function guesses(grades: readonly Grade[]): Section {
	if (grades.length === 0) {
		return {
			id: "guesses",
			title: "Guesses",
			markdown: "No guess was written down in this record.",
			addedLater: false,
		};
	}
	const found = (grade: Grade) =>
		grade.found
			.map(({ fact: key, value }) =>
				value === null ? `${code(key)} not measured or not decided` : `${code(key)} ${prose`${fact(key, value)}`}`,
			)
			.join("<br>");
	const rows = grades.map((grade) => [
		`${grade.author === "reader" ? "you" : grade.lesson === null ? "author" : code(`lesson ${grade.lesson}`)}`,
		grade.author === "reader"
			? `${plainNumbers(grade.text)}: ${code(grade.guessed === null ? "?" : rounded(grade.guessed))}`
			: plainNumbers(grade.text),
		`**${grade.grade}**${grade.addedLater ? ", added later" : ""}`,
		found(grade),
	]);
	const count = (kind: Grade["grade"]) =>
		grades.filter(({ author, grade }) => author === "author" && grade === kind).length;
	const readers = grades.filter(({ author }) => author === "reader");
	const summary = prose`Of the author's guesses ${fact("guesses/right", count("right"))} are right, ${fact("guesses/wrong", count("wrong"))} wrong and ${fact("guesses/open", count("open"))} open here.`;
	const yours =
		readers.length === 0
			? "You made no guess."
			: prose`You are right (within ${fact("rule/readerTolerancePercent", 25, "%")}) with ${fact("guesses/readerRight", readers.filter(({ grade }) => grade === "right").length)} of ${fact("guesses/reader", readers.length)}.`;
	return {
		id: "guesses",
		title: "Guesses, graded",
		markdown: `${table([["whose", "guess", "grade", "found"], ...rows])}\n\n${summary} ${yours}`,
		addedLater: false,
	};
}

/** A guess's own numbers are quoted, not results: they stand as code. */
function plainNumbers(text: string): string {
	return text.replace(/\d[\d,.]*\d|\d/g, (number, at: number) =>
		/[a-z]/i.test(text[at - 1] ?? "") ? number : code(number),
	);
}

/** What these numbers cannot say, from the facts of this record. */
export function limits(context: Context): Section {
	const environment = context.facts.environments.at(-1);
	const rounds = Math.max(0, ...context.cells.map(({ runs }) => runs.length));
	const seconds = [...new Set(context.facts.runs.filter(({ kind }) => kind === "open").map((run) => run.seconds))];
	const shared = context.facts.runs.some(({ topology }) => topology === "shared");
	const untrained = context.facts.models
		.filter(({ averagePrecision }) => averagePrecision === null)
		.map(({ name }) => name);
	const lines = [
		`- One machine: ${code(environment?.cpu ?? "unknown")}, Node ${code(environment?.node ?? "unknown")}, ONNX Runtime ${code(environment?.onnxruntime ?? "unknown")}. Another one has other numbers; compare two records with ${code("workbook report A B")}.`,
		...(shared
			? [
					"- The client shares the core with the service, so every absolute number is smaller than with a client elsewhere. It costs the same in all settings.",
				]
			: []),
		...(seconds.length > 0
			? [
					prose`- Steady arrivals of ${fact("limits/seconds", Math.max(...seconds), "s")} a run. Real traffic rises and falls; above S a latency grows with the run.`,
				]
			: []),
		...(rounds > 0
			? [
					prose`- ${fact("limits/rounds", rounds)} rounds. ${rounds < 5 ? "Fewer than five never tell two settings apart." : "Five rounds that agree happen by chance in one of 16 comparisons."}`.replace(
						"of 16",
						`of ${code("16")}`,
					),
				]
			: []),
		...(untrained.length > 0
			? [`- ${untrained.map(code).join(", ")} never learned anything: only cost and bits are real, not the scores.`]
			: []),
		`- Seen before these runs: prototypes of this stack on another machine, from which the author's ranges come.`,
	];
	return { id: "limits", title: "What this cannot say", markdown: lines.join("\n"), addedLater: false };
}

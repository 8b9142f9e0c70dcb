import type { Grade } from "../grade.js";
import { fact, prose, rounded } from "../prose.js";
import { type Context, code, type Section } from "./context.js";

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
		`- Least idle before a run: ${context.show("quiet/lowestIdlePercent", "%")}. Most steal: ${context.show("quiet/largestStealPercent", "%", "not available")}. The fixed piece of work differed by ${context.show("quiet/canarySpreadPercent", "%")} between its fastest and slowest run. Most open log-ins: ${context.show("quiet/mostLogIns", "", "not available")}.`,
		`- ${journal}`,
		`- A round in which the machine drifted takes no part in a paired comparison.`,
	];
	const why = invalidReasons(context);
	if (why !== "") lines.splice(1, 0, why);
	return { id: "quiet", title: "How quiet it was", markdown: lines.join("\n"), addedLater: false };
}

/** Why runs are INVALID, by kind of reason; the reasons' own numbers differ by run and stand as dots. */
function invalidReasons(context: Context): string {
	const kinds = new Map<string, number>();
	for (const { verdict, reasons } of context.facts.runs) {
		if (verdict !== "INVALID") continue;
		for (const kind of new Set(reasons.map((reason) => reason.replace(/\d[\d.,]*/g, "…"))))
			kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
	}
	const said = [...kinds]
		.sort((a, b) => b[1] - a[1])
		.slice(0, 5)
		.map(([kind, count]) => `  - ${code(`${count} × ${kind}`)}`);
	return said.length === 0 ? "" : `- INVALID runs, by reason (a run may have several):\n${said.join("\n")}`;
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
				value === null
					? `${code(key)} is not measured or not decided here`
					: `${code(key)} is ${prose`${fact(key, value)}`}`,
			)
			.join(", ");
	const whose = ({ author, lesson }: Grade) =>
		author === "reader" ? "you" : lesson === null ? "the author" : `the author, restating ${code(`lesson ${lesson}`)}`;
	const lines = grades.map((grade) => {
		const guessed = grade.guessed === null ? "" : `: ${code(rounded(grade.guessed))}`;
		return `- **${grade.grade}**${grade.addedLater ? ", added later" : ""} – ${plainNumbers(grade.text)}${guessed} (${whose(grade)}; ${found(grade)})`;
	});
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
		markdown: `${lines.join("\n")}\n\n${summary} ${yours}`,
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
					prose`- ${fact("limits/rounds", rounds)} ${rounds === 1 ? "round" : "rounds"}. ${rounds < 5 ? "Fewer than five never tell two settings apart." : "Five rounds that agree happen by chance in one of 16 comparisons."}`.replace(
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

import { smallestP } from "../../stats/index.js";
import { fact, prose } from "../prose.js";
import { mainBatched } from "./answer.js";
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
		...verdicts(context),
		`- Before each run the core was idle to at least ${context.show("quiet/lowestIdlePercent", "%")} (the lesson: ${prose`${fact("reference/lesson-050", 99.5, "%")}`}).${some(context, "notQuiet", (runs) => ` ${runs} began although it was less quiet than asked for.`)}`,
		`- *Steal*, time that the physical machine gave to other customers: at most ${context.show("quiet/largestStealPercent", "%", "not available")}. Most people logged in at the same time: ${context.show("quiet/mostLogIns", "", "not available")}.`,
		`- The canary, a fixed piece of work: ${context.show("quiet/canarySpreadPercent", "%")} between the fastest and the slowest run, each the mean of the timings before and after it (single timings may lie further apart). ${drift(context)}`,
		`- ${journal}`,
	];
	const why = invalidReasons(context);
	if (why !== "") lines.push(why);
	return { id: "quiet", title: "How quiet it was", markdown: lines.join("\n"), addedLater: false };
}

/** "3 runs", or nothing where there are none. */
function some(context: Context, name: string, say: (runs: string) => string): string {
	const count = context.value(`quiet/${name}`) ?? 0;
	return count === 0 ? "" : say(`${context.show(`quiet/${name}`)} ${count === 1 ? "run" : "runs"}`);
}

/** Which runs are evidence. */
function verdicts(context: Context): string[] {
	const runs = context.show("quiet/runs");
	const invalid = context.value("quiet/invalid") ?? 0;
	const count =
		invalid === 0
			? `- All ${runs} runs of the sweep count.`
			: `- Of ${runs} runs of the sweep, ${context.show("quiet/invalid")} broke a rule of the test (INVALID) and are no evidence.`;
	const late = some(
		context,
		"late",
		(late) =>
			` In ${late} the client was often held up before it could send (LATE). That wait is part of the latency, so these runs count.`,
	);
	const others =
		context.facts.otherRuns === 0
			? ""
			: ` Attempts that were broken off or measured again, and are left out: ${prose`${fact("quiet/otherRuns", context.facts.otherRuns)}`}.`;
	return [`${count}${late}${others}`];
}

function drift(context: Context): string {
	return (context.value("quiet/drifted") ?? 0) === 0
		? "In no run did it take clearly longer after than before: the machine kept its speed."
		: `${some(context, "drifted", (runs) => `In ${runs} the machine changed its speed meanwhile; their rounds take no part in comparisons.`)}`;
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
		`- One machine: ${code(environment?.cpu ?? "unknown")}, Node ${code(environment?.node ?? "unknown")}, ONNX Runtime ${code(environment?.onnxruntime ?? "unknown")}. Another one has other numbers; ${code("npx workbook report A B")} sets two records side by side.`,
		...(shared ? [`- ${sharedCore(context)}`] : []),
		...(seconds.length > 0
			? [
					prose`- Steady arrivals of ${fact("limits/seconds", Math.max(...seconds), "s")} a run. Real traffic rises and falls. Above what a setting can answer, its latency grows with the length of the run.`,
				]
			: []),
		...(rounds > 0
			? [
					prose`- ${fact("limits/rounds", rounds)} ${rounds === 1 ? "round" : "rounds"}. ${rounds < 5 ? "Fewer than five never tell two settings apart." : prose`Luck alone makes all of them agree in ${fact(`rule/luckPercent/${rounds}`, 100 * smallestP(rounds), "%")} of comparisons, and of many comparisons some agree by luck.`}`,
				]
			: []),
		"- *Keeps up* means: answered at least nineteen in twenty as fast as requests came. So a service may count as keeping up while its queue slowly grows. That is looked for too, and then a latency is called unstable as well.",
		...(untrained.length > 0
			? [`- ${untrained.map(code).join(", ")} never learned anything: only cost and bits are real, not the scores.`]
			: []),
		`- Before these runs the author had seen prototypes of this service on another machine; the ranges of the guesses come from there.`,
	];
	return { id: "limits", title: "What this cannot say", markdown: lines.join("\n"), addedLater: false };
}

/** What a client on the same core does to the numbers, from what it cost. */
function sharedCore(context: Context): string {
	const start =
		"The client works on the same core as the service, so all settings answer less than they could with a client elsewhere.";
	const costs = context.models.flatMap((model) => {
		const setting = mainBatched(context, model) ?? "b32w0";
		const [alone, batched] = ["none", setting].map((name) => `saturation/${model}/${name}/clientUs`);
		if (alone === undefined || batched === undefined) return [];
		return context.value(alone) === undefined || context.value(batched) === undefined
			? []
			: [
					`for ${code(model)} ${context.show(alone, "µs")} with ${code("none")}, ${context.show(batched, "µs")} with ${code(setting)}`,
				];
	});
	return costs.length === 0
		? start
		: `${start} It does not cost the same in all settings: at saturation an answer cost the client ${costs.join("; ")}. Where that shrinks, part of a setting's gain is the client's.`;
}

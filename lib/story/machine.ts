import { fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";
import { notMeasured, type Source } from "./values.js";

const GIB = 2 ** 30;

/** Below half a program at a time the machine has nothing else to do. */
const QUIET_LOAD = 0.5;

/** Where the two programs of a timed run stand. */
const TOPOLOGY: Readonly<Record<string, string>> = {
	shared: "the same core (on purpose; notebook `03` says why)",
	separate: "a core each",
	unpinned: "whichever core the system gives them",
};

/** What the record says about the computer, in a few lines. */
export function machine({ record }: Source): void {
	const here = record.environments().at(-1);
	if (here === undefined) throw notMeasured("the machine", "openRun");
	const rows = [
		["what", "this machine"],
		["processor", `\`${here.cpu}\``],
		["cores that may be used", prose`${fact("machine/cores", here.cores)}`],
		[
			"memory",
			prose`${fact("machine/memoryGib", here.memoryBytes / GIB, "GiB")} (a GiB is about a thousand million bytes)`,
		],
		["system", `\`${here.platform} ${here.arch}, ${here.kernel}\``],
		["Node, ONNX Runtime, SQLite", `\`${here.node}, ${here.onnxruntime}, ${here.sqlite}\``],
		["cores that one model call may use at once (its threads)", prose`${fact("machine/threads", here.threads)}`],
		["the program that asks and the one that answers run on", TOPOLOGY[here.topology] ?? `\`${here.topology}\``],
	];
	tell([table(rows), ...busy(here.loadAverage[0], here.cores)].join("\n\n"));
}

/** How busy the machine was in the minute before; nothing where the system does not tell. */
function busy(load: number | undefined, cores: number): string[] {
	if (load === undefined) return [];
	const wanted = prose`During the last minute ${fact("machine/load", load)} programs on average wanted a core, and there are ${fact("machine/cores", cores)}.`;
	return [
		load <= QUIET_LOAD
			? `${wanted} That is quiet: below one half of a program nothing else is going on.`
			: `${wanted} That is not quiet; quiet would be below one half of a program. Close what you do not need: a measurement on a busy computer says more about the other programs than about ours. Starting this notebook counts too, so look again in a minute. Before each run of notebooks \`03\` and \`05\` the workbook looks by itself, waits for quiet, and writes down if it did not come.`,
	];
}

/** The two models, with what their manifest says. */
export function models({ record }: Source): void {
	const known = record.models();
	const rows = known.map(({ name, averagePrecision }) => [
		`\`${name}\``,
		averagePrecision === null ? "no" : "yes",
		averagePrecision === null
			? "–"
			: prose`${fact(`model/${name}/averagePrecision`, averagePrecision, "", averagePrecision.toFixed(4))}`,
	]);
	const head = [
		"model",
		"trained",
		"average precision: how well it puts buyers first (one is perfect; a random order gets about the share of buyers)",
	];
	const files = known.map(({ name, sha256 }) => `\`${name}\` \`${sha256.slice(0, 12)}…\``).join(", ");
	tell(
		`${table([head, ...rows])}\n\n${prose`The lesson's own model had ${fact("reference/lesson-004", 0.545, "", "0.5450")}. It is another model on other data, so the two numbers stand beside each other and are not compared. Neither matters for what follows.`}\n\n<details><summary>Fingerprints of the model files</summary>\n\n${files}: with the same fingerprint you have exactly the same model.\n\n</details>`,
	);
}

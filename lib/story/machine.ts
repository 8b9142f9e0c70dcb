import { fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";
import { notMeasured, type Source } from "./values.js";

const GIB = 2 ** 30;

/** What the record says about the computer, in a few lines. */
export function machine({ record }: Source): void {
	const here = record.environments().at(-1);
	if (here === undefined) throw notMeasured("the machine", "openRun");
	const rows = [
		["what", "this machine"],
		["processor", `\`${here.cpu}\``],
		["cores that may be used", prose`${fact("machine/cores", here.cores)}`],
		["memory", prose`${fact("machine/memoryGib", here.memoryBytes / GIB, "GiB")}`],
		["system", `\`${here.platform} ${here.arch}, ${here.kernel}\``],
		["Node, ONNX Runtime, SQLite", `\`${here.node}, ${here.onnxruntime}, ${here.sqlite}\``],
		["threads in a model call", prose`${fact("machine/threads", here.threads)}`],
		["service and client share a core", `\`${here.topology}\``],
	];
	const load = here.loadAverage[0];
	const busy =
		load === undefined
			? ""
			: prose`\n\nRight now ${fact("machine/load", load)} programs on average want to run. Close what you do not need: a measurement on a busy computer says more about the other programs than about ours.`;
	tell(table(rows) + busy);
}

/** The two models, with what their manifest says. */
export function models({ record }: Source): void {
	const rows = record
		.models()
		.map(({ name, averagePrecision, sha256 }) => [
			`\`${name}\``,
			averagePrecision === null
				? "not trained, so it has none"
				: prose`${fact(`model/${name}/averagePrecision`, averagePrecision, "", averagePrecision.toFixed(4))}`,
			`\`${sha256.slice(0, 12)}…\``,
		]);
	tell(
		`${table([["model", "average precision on customers it has never seen", "fingerprint of its file"], ...rows])}\n\n${prose`The lesson's own model, trained on the real shop, had an average precision of ${fact("reference/lesson-004", 0.545, "", "0.5450")}. It is another model on other data, so the two numbers stand beside each other and are not compared.`}`,
	);
}

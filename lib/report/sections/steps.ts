import { fact, prose } from "../prose.js";
import { mainBatched } from "./answer.js";
import { type Context, code, rateText, type Section } from "./context.js";
import { changeWords, keptWords, unstableAt } from "./words.js";

interface Step {
	readonly does: string;
	readonly command: string;
	/** When to go on, and when to stop. */
	readonly threshold: string;
	readonly here: (model: string) => string;
}

function stepsOf(context: Context): Step[] {
	const size = prose`${fact("rule/comparedSize", 32)}`;
	return [
		{
			does: "Time the model alone.",
			command: "npx workbook model-alone --model my.onnx",
			threshold: `Go on if a row in a batch of ${size} costs less than half of a row alone. If not, a bus saves little in the model; what it could still save is a part of reading and answering, and step three shows that.`,
			here: (model) => {
				const key = `alone/${model}/32/cheaperTimes`;
				return context.value(key) === undefined ? "not measured" : `${context.show(key, "times")} cheaper`;
			},
		},
		{
			does: "Check its bits.",
			command: "npx workbook bit-check --model my.onnx",
			threshold:
				"Go on if no row changes, or if you can say why so small a change does no harm (nobody's decision, no test, no cache compares the scores).",
			here: (model) => {
				const rows = `bits/${model}/rows`;
				return context.value(rows) === undefined
					? "not measured"
					: `${context.show(`bits/${model}/worstDifferingRows`)} of ${context.show(rows)} rows changed`;
			},
		},
		{
			does: "Measure S, and compare it with your busiest second.",
			command: "npx workbook saturation --model my.onnx --setting none,b32w0",
			threshold:
				"If your busiest second stays below half of S, you can stop here: one by one is simple and keeps up. Above that, go on if the batched setting answers at least a tenth more than `none`.",
			here: (model) => {
				const setting = mainBatched(context, model) ?? "b32w0";
				const s = `S ${context.show(`saturation/${model}/none/answersPerSecond`)} a second`;
				return `${s}, ${keptWords(context, model, "none")}, and ${code(setting)} answers ${context.show(`saturation/${model}/${setting}/timesS`, "× S", "a number not measured")} at most`;
			},
		},
		{
			does: "Start with `W = 0`, and the plateau as the cap.",
			command: "npx workbook serve --model my.onnx --setting b16w0",
			threshold:
				"The command of the first step names the plateau; `b16w0` is for one of sixteen rows. A larger cap saves next to nothing and makes each call longer. (This workbook keeps to a cap of thirty-two for both models, as the lesson did.)",
			here: (model) => {
				const key = `alone/${model}/plateauSize`;
				return context.value(key) === undefined ? "no plateau found" : `plateau at ${context.show(key, "rows")}`;
			},
		},
		{
			does: "Compare settings with each other, on the same random arrivals, counted from the scheduled arrival.",
			command: "npx workbook sweep --profile standard --model my.onnx",
			threshold:
				"It takes about an hour; with `--plan` it only says how long. Keep `W = 0` unless a timed wait has a lower p99, told apart in five rounds, at the rate you care about, and every quiet request can afford the wait.",
			here: (model) => timedAgainstFree(context, model),
		},
	];
}

function timedAgainstFree(context: Context, model: string): string {
	const rate = context.ratesOf(model).at(-1);
	const free = mainBatched(context, model);
	const timed = context.batchedOf(model).find((setting) => !/w0$/.test(setting));
	if (rate === undefined || free === undefined || timed === undefined) return "no timed wait was measured";
	const shaky = unstableAt(context, model, rate, [timed, free]);
	const what = `p99 of ${code(timed)} minus that of ${code(free)} at ${rateText(rate)}`;
	if (shaky !== "") return `${what}: not compared (unstable there: ${shaky})`;
	return `${what} (the middle one of the rounds' differences): ${changeWords(context, `pair/${model}/${timed}~${free}/x${rate}/p99Ms`)}`;
}

/** The order to follow with a model of one's own, each step with its command, its threshold and this run's number. */
export function fiveSteps(context: Context): Section | null {
	const models = context.models.filter((model) => context.ratesOf(model).length > 0);
	if (models.length === 0) return null;
	const lines = stepsOf(context).map(({ does, command, threshold, here }, index) => {
		const found = models.map((model) => `${code(model)} ${here(model)}`).join("; ");
		return `${index + 1}. **${does}** ${code(command)}<br>${threshold}<br>*Here:* ${found}.`;
	});
	const markdown = `${lines.join("\n")}\n\nAfterwards ${code("npx workbook report outputs/latest")} writes these pages for your model. Is it a service of your own, behind an address? Then ${code("npx workbook load --url http://… --rate … --seconds …")} sends the random arrivals.`;
	return { id: "five-steps", title: "The order to follow with a model of your own", markdown, addedLater: false };
}

import { fact, prose } from "../prose.js";
import { mainBatched } from "./answer.js";
import { type Context, code, type Section } from "./context.js";
import { againstNone, rateWords } from "./words.js";

/** When batching helps and when not, each rule with this run's number, true whichever way that falls. */
export function sixRules(context: Context): Section | null {
	const models = context.models.filter((model) => context.ratesOf(model).length > 0);
	if (models.length === 0) return null;
	const each = (say: (model: string) => string) => models.map((model) => `${code(model)} ${say(model)}`).join("; ");
	const quiet = (model: string) => context.quietRateOf(model) ?? 0;
	const where = models[0] === undefined ? "" : rateWords(quiet(models[0]));
	const free = (model: string) => mainBatched(context, model) ?? "b32w0";
	const change = (model: string, setting: string, name: string) =>
		againstNone(context, model, setting, quiet(model), name);
	const timed = (model: string) => context.batchedOf(model).find((setting) => !/w0$/.test(setting)) ?? "b32w2";
	const rules = [
		`**It helps when the fixed cost of a call is large, compared with a row and with everything else an answer costs.** ${each((model) => `${context.show(`alone/${model}/fixedUs`, "µs")} fixed, of ${context.show(`saturation/${model}/none/coreUs`, "µs")} for a whole answer`)}.`,
		`**It helps most when traffic comes near S, or above it.** The saturation of the batched setting: ${each((model) => context.show(`saturation/${model}/${free(model)}/timesS`, "× S"))}. Where that is not above S, there is no help to be had.`,
		`**When it is quiet it may help the slowest requests, if nothing waits on purpose.** Change of the p99 at ${where} without a timed wait: ${each((model) => change(model, free(model), "p99Ms"))}.`,
		`**A timed wait is a price when it is quiet.** The typical request (p50) at ${where} with one: ${each((model) => change(model, timed(model), "p50Ms"))}. The slowest (p99): ${each((model) => change(model, timed(model), "p99Ms"))}.`,
		`**A batcher that never groups is only a cost.** ${neverGroups(context, models)}`,
		`**Do not batch a model whose answers you have not checked.** Rows that got another score in company, at worst: ${each((model) => `${context.show(`bits/${model}/worstDifferingRows`)} of ${context.show(`bits/${model}/rows`)}`)}.`,
	];
	const markdown = rules.map((rule, index) => `${index + 1}. ${rule}`).join("\n");
	return { id: "six-rules", title: "When batching helps, and when not", markdown, addedLater: false };
}

function neverGroups(context: Context, models: readonly string[]): string {
	const measured = models.filter((model) => context.value(`saturation/${model}/b1w0/timesS`) !== undefined);
	const lesson = prose`In the lesson's runs with random arrivals (not those in which it measured S), such a bus with one seat, ${code("b1w0")}, answered at most ${fact("reference/lesson-148", 978)} a second, and ${code("none")} up to ${fact("reference/lesson-106", 1045)}.`;
	if (measured.length === 0) return `${lesson} This run did not measure it, so here it is a claim.`;
	const here = measured.map((model) => {
		const key = `saturation/${model}/b1w0/timesS`;
		const costs = (context.value(key) ?? 1) < 1;
		return `${code(model)} ${context.show(key, "× S")} (${costs ? "less than without it" : "no cost to be seen"})`;
	});
	return `The saturation of ${code("b1w0")}, a bus with one seat: ${here.join("; ")}. ${lesson}`;
}

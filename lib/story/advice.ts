import type { Report } from "../report/index.js";
import { modelsOf, shown } from "./results.js";
import { tell } from "./tell.js";

const each = (report: Report, say: (model: string) => string) =>
	modelsOf(report)
		.map((model) => `\`${model}\` ${say(model)}`)
		.join("; ");

/** The order to follow, each step with this run's number. */
export function fiveSteps(report: Report): void {
	const at32 = (model: string) =>
		`${shown(report, `alone/${model}/1/callUs`, "µs")} alone, ${shown(report, `alone/${model}/32/rowUs`, "µs")} in company of thirty-two`;
	const steps = [
		`**Time the model alone.** If a row in a batch is not much cheaper than a row alone, stop: no batcher can help. A row here: ${each(report, at32)}.`,
		`**Measure S**, the most the service answers with no batching. Here: ${each(report, (model) => `${shown(report, `saturation/${model}/none/answersPerSecond`)} answers a second`)}.`,
		`**Send random arrivals, and count from the scheduled arrival.** A test that waits for its answers can never show a queue. At half of S the p99 of \`none\` was: ${each(report, (model) => shown(report, `sweep/${model}/none/x0.5/p99Ms`, "ms", "too few samples to say"))}.`,
		`**Start with \`W = 0\` and a cap.** Against \`none\`, \`b32w0\` moved the median at half of S by: ${each(report, (model) => shown(report, `pair/${model}/b32w0~none/x0.5/p50Ms/median`, "ms"))}.`,
		`**Compare settings with each other on the same arrivals.** \`b32w2\` against \`none\`, the median at half of S: ${each(report, (model) => shown(report, `pair/${model}/b32w2~none/x0.5/p50Ms/median`, "ms"))}.`,
	];
	tell(steps.map((step, index) => `${index + 1}. ${step}`).join("\n"));
}

/** When batching helps and when not, each rule with this run's number. */
export function sixRules(report: Report): void {
	const rules = [
		`**It helps when the fixed cost of a call is large compared with a row** – and with everything else a request costs. Fixed cost here: ${each(report, (model) => shown(report, `alone/${model}/fixedUs`, "µs"))}. The model's share of the core time of an answer: ${each(report, (model) => shown(report, `coreTime/${model}/none/modelSharePercent`, "%"))}.`,
		`**It helps most when traffic comes near S or above.** \`b32w0\` can answer: ${each(report, (model) => shown(report, `saturation/${model}/b32w0/timesS`, "× S"))}.`,
		`**It can help a little when it is quiet, if nothing waits on purpose.** The p99 of \`b32w0\` minus that of \`none\` at half of S: ${each(report, (model) => shown(report, `pair/${model}/b32w0~none/x0.5/p99Ms/median`, "ms", "too few samples to say"))}.`,
		`**A timed wait costs every request when it is quiet.** \`b32w2\` added to the median at half of S: ${each(report, (model) => shown(report, `pair/${model}/b32w2~none/x0.5/p50Ms/median`, "ms"))}.`,
		`**A batcher that never groups is pure cost.** The saturation of \`b1w0\`: ${each(report, (model) => shown(report, `saturation/${model}/b1w0/timesS`, "× S", "not measured with this profile"))}.`,
		`**Do not batch a model whose answers you have not checked.** Rows that changed in company at the worst size: ${each(report, (model) => shown(report, `bits/${model}/worstPercent`, "%", shown(report, `bits/${model}/sizesThatDiffer`)))}.`,
	];
	tell(rules.map((rule) => `- ${rule}`).join("\n"));
}

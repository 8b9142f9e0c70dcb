import { fact, prose, type Report } from "../report/index.js";
import { modelsOf, shown } from "./results.js";
import { tell } from "./tell.js";

/** Batched settings of a model, the one that kept up highest first; among equals the lower p99 at half of S. */
function bestBatched(report: Report, model: string): string | undefined {
	const settings = [...report.numbers.keys()].flatMap((key) => {
		const found = /^sweep\/(.+)\/(b\d+w[\d.]+)\/highestKept$/.exec(key);
		return found?.[1] === model && found[2] !== undefined ? [found[2]] : [];
	});
	const highest = (setting: string) => report.numbers.get(`sweep/${model}/${setting}/highestKept`) ?? 0;
	const p99 = (setting: string) =>
		report.numbers.get(`sweep/${model}/${setting}/x0.5/p99Ms`) ?? Number.POSITIVE_INFINITY;
	return settings.sort((a, b) => highest(b) - highest(a) || p99(a) - p99(b))[0];
}

function kept(report: Report, model: string, setting: string): string {
	const key = `sweep/${model}/${setting}/highestKept`;
	const highest = report.numbers.get(key);
	if (highest === undefined) return `\`${setting}\` was not measured`;
	return highest === 0
		? `\`${setting}\` kept up at none of the rates`
		: prose`\`${setting}\` kept up to **${fact(key, highest, "× S")}**`;
}

function verdict(report: Report, model: string, best: string): string {
	const none = report.numbers.get(`sweep/${model}/none/highestKept`);
	const batched = report.numbers.get(`sweep/${model}/${best}/highestKept`);
	const times = report.numbers.get(`saturation/${model}/b32w0/timesS`);
	if (none === undefined || batched === undefined) return "";
	if (batched > none) return "Batching pays: it moves the point at which the service falls behind.";
	if (batched < none) return "Batching does not pay here: the batched service fell behind earlier.";
	if (times !== undefined && times > 1.1)
		return "At the rates tried both fell behind at the same point, yet the batched service can answer more at most: batching pays a little.";
	return "At the rates tried, batching makes no difference to when the service falls behind.";
}

/** The workbook's question, answered for each model in three sentences. */
export function answer(report: Report): void {
	const parts = modelsOf(report).map((model) => {
		const best = bestBatched(report, model);
		const s = shown(report, `saturation/${model}/none/answersPerSecond`);
		const head = `**\`${model}\`**: S is ${s} answers a second; the saturation of \`b32w0\` is ${shown(report, `saturation/${model}/b32w0/timesS`, "× S")}.`;
		if (best === undefined) return head;
		const p99 = (setting: string) =>
			shown(report, `sweep/${model}/${setting}/x0.5/p99Ms`, "ms", "too few samples to say");
		return `${head} ${kept(report, model, "none")}, ${kept(report, model, best)}. At half of S the p99 of \`none\` was ${p99("none")}, that of \`${best}\` ${p99(best)}. ${verdict(report, model, best)}`;
	});
	tell(parts.join("\n\n"));
}

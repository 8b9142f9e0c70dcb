import { fact, prose } from "../prose.js";
import { table } from "../table.js";
import { type Context, code, type Section } from "./context.js";

/** Part A: the model by itself, beside the lesson's. */
export function alone(context: Context): Section | null {
	const models = context.models.filter((name) => context.facts.modelAlone.some(({ model }) => model === name));
	if (models.length === 0) return null;
	const parts = models.map((model) => {
		const key = `alone/${model}`;
		const sizes = [
			...new Set(
				context.facts.modelAlone
					.filter((row) => row.model === model)
					.flatMap(({ sizes }) => sizes.map(({ size }) => size)),
			),
		].sort((a, b) => a - b);
		const rows = sizes.map((size) => [
			context.show(`${key}/${size}/size`),
			context.show(`${key}/${size}/callUs`, "µs"),
			context.show(`${key}/${size}/rowUs`, "µs"),
			model === "gbt" ? context.lesson(`${key}/${size}/callUs`, "µs") : "–",
		]);
		const plateau = context.value(`${key}/plateauSize`);
		const words =
			plateau === undefined
				? "No plateau up to the largest size: every doubling still saved at least a tenth a row, or none was measured."
				: prose`Plateau from ${fact(`${key}/plateauSize`, plateau)} rows on: doubling that saves less than ${fact("rule/plateauPercent", 10, "%")} a row.`;
		const line = context.value(`${key}/fixedUs`);
		const fitted =
			line === undefined
				? ""
				: `A call costs ${context.show(`${key}/fixedUs`, "µs")} whatever its size (rounds: ${context.show(`${key}/fixedUsLow`)} to ${context.show(`${key}/fixedUsHigh`, "µs")}) and ${context.show(`${key}/marginalUs`, "µs")} a row; no time is further from that line than ${context.show(`${key}/largestResidualPercent`, "%")}.`;
		return `**${code(model)}**, median over ${context.show(`${key}/rounds`)} fresh processes\n\n${table([["rows", "a call", "a row", "a call in the lesson"], ...rows])}\n\n${fitted} ${words}`;
	});
	return { id: "alone", title: "The model alone", markdown: parts.join("\n\n"), addedLater: false };
}

/** Bits: of the model by itself, and of every answer of the service. */
export function bits(context: Context): Section | null {
	const checked = context.models.flatMap((name) =>
		context.facts.bitChecks.filter(({ model, threads }) => model === name && threads === 1),
	);
	if (checked.length === 0) return null;
	const lines = checked.map(({ model }) => {
		const key = `bits/${model}`;
		const differing = context.value(`${key}/sizesThatDiffer`) ?? 0;
		const alone =
			differing === 0
				? `identical at all ${context.show(`${key}/sizes`)} sizes`
				: `different at ${context.show(`${key}/sizesThatDiffer`)} of ${context.show(`${key}/sizes`)} sizes, at worst in ${context.show(`${key}/worstDifferingRows`)} of the rows, and by ${context.show(`${key}/maxUlp`)} units of the last place`;
		const answered =
			context.value(`answers/${model}/answered`) === undefined
				? ""
				: ` Of ${context.show(`answers/${model}/answered`)} answers of the service (${context.show(`answers/${model}/inBatches`)} scored in company) ${context.show(`answers/${model}/differing`)} differed from the row's own score.`;
		return `- ${code(model)}: ${context.show(`${key}/rows`)} rows with ${context.show(`${key}/distinctScores`)} different scores, ${alone}.${answered}`;
	});
	return { id: "bits", title: "Same scores, to the bit", markdown: lines.join("\n"), addedLater: false };
}

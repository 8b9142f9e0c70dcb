import { fact, prose, rounded } from "../report/index.js";
import { tell } from "./tell.js";
import { bitsOf, type Source } from "./values.js";

/** Fewer different scores than this cannot show much. */
const FEW_SCORES = 100;

/** A tiny number written out, as far as a reader can still count the zeros. */
function writtenOut(value: number): string {
	if (value === 0 || value >= 1 || value < 1e-12) return rounded(value);
	return value.toFixed(1 + Math.ceil(-Math.log10(value)));
}

/** The verdict on one model. */
export function bits(source: Source, model: string): void {
	const check = bitsOf(source, model);
	const key = `bits/${model}`;
	const rows = fact(`${key}/rows`, check.rows);
	const sizes = fact(`${key}/sizes`, check.sizes.length);
	tell(
		check.identical
			? prose`\`${model}\` **keeps its bits**: all ${rows} rows got the same score in company as alone, in each of the ${sizes} batch sizes. ${distinct(source, model)}`
			: `${changed(source, model)} ${distance(source, model)} ${distinct(source, model)}`,
	);
}

/** How many rows changed in the smallest batches, and whether more company changes more of them. */
function changed(source: Source, model: string): string {
	const check = bitsOf(source, model);
	const key = `bits/${model}`;
	const [smallest] = check.sizes;
	const worst = check.sizes.reduce((a, b) => (b.differingRows > a.differingRows ? b : a));
	const least = check.sizes.reduce((a, b) => (b.differingRows < a.differingRows ? b : a));
	if (smallest === undefined) return "";
	const rows = fact(`${key}/rows`, check.rows);
	const share = (100 * worst.differingRows) / check.rows;
	const percent = fact(`${key}/worstPercent`, share, "%");
	const start = prose`\`${model}\` **does not keep its bits**: in batches of ${fact(`${key}/${smallest.size}/size`, smallest.size)}, ${fact(`${key}/${smallest.size}/differingRows`, smallest.differingRows)} of ${rows} rows got a score that was not the one they got alone`;
	return check.sizes.every(({ differingRows }) => differingRows === smallest.differingRows)
		? prose`${start} (${percent}), and **at every other size just as many rows differed**. So at these sizes it matters *that* a row has company, and not how much: most likely the library works rows out in groups, and a single row in another way. We did not look inside.`
		: prose`${start}. Over all sizes it was between ${fact(`${key}/${least.size}/differingRows`, least.differingRows)} (in batches of ${fact(`${key}/${least.size}/size`, least.size)}) and ${fact(`${key}/worstDifferingRows`, worst.differingRows)} (in batches of ${fact(`${key}/worstSize`, worst.size)}; ${percent}). So it also matters *how much* company a row has.`;
}

/** How far a score moved, and what that could change. */
function distance(source: Source, model: string): string {
	const most = Math.max(...bitsOf(source, model).sizes.map(({ maxAbs }) => maxAbs));
	return prose`No score moved by more than ${fact(`bits/${model}/maxAbs`, most, "", writtenOut(most))}. A shop that writes to everybody above one half would decide differently only for a customer whose score lies closer to one half than that.`;
}

function distinct(source: Source, model: string): string {
	const { distinctScores, rows } = bitsOf(source, model);
	const there = prose`There were ${fact(`bits/${model}/distinctScores`, distinctScores)} different scores to compare.`;
	return distinctScores < Math.min(FEW_SCORES, rows / 2)
		? `${there} **That is few**, so this check could have missed differences.`
		: there;
}

/** What the two verdicts mean for the runs with a service. */
export function bitRule(source: Source, models: readonly string[]): void {
	const named = (identical: boolean) =>
		models.filter((model) => bitsOf(source, model).identical === identical).map((model) => `\`${model}\``);
	const [keep, lose] = [named(true), named(false)];
	const lines: string[] = [];
	if (keep.length > 0)
		lines.push(
			`- ${keep.join(", ")}: every answer in notebooks \`03\` and \`05\` must equal the score of its row alone, to the bit. If one differs, something is broken: the measurement it belongs to is thrown away, and the *record* (the file that keeps all results) marks it **INVALID**.`,
		);
	if (lose.length > 0)
		lines.push(
			`- ${lose.join(", ")}: differing answers are expected. They are counted, the largest difference is reported, and it is for you to say how much you can tolerate.`,
		);
	tell(lines.join("\n"));
}

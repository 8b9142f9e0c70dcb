import { fact, prose } from "../report/index.js";
import { tell } from "./tell.js";
import { bitsOf, type Source } from "./values.js";

/** The verdict on one model. */
export function bits(source: Source, model: string): void {
	const check = bitsOf(source, model);
	const rows = fact(`bits/${model}/rows`, check.rows);
	const distinct = fact(`bits/${model}/distinctScores`, check.distinctScores);
	const sizes = fact(`bits/${model}/sizes`, check.sizes.length);
	if (check.identical) {
		tell(
			prose`\`${model}\` **keeps its bits**: all ${rows} rows got the same score in company as alone, in each of the ${sizes} batch sizes. There were ${distinct} different scores to compare.`,
		);
		return;
	}
	const worst = check.sizes.reduce((a, b) => (b.differingRows > a.differingRows ? b : a));
	const share = (100 * worst.differingRows) / check.rows;
	tell(
		prose`\`${model}\` **does not keep its bits**: at ${fact(`bits/${model}/worstSize`, worst.size)} rows a batch, ${fact(`bits/${model}/worstDifferingRows`, worst.differingRows)} of ${rows} rows (${fact(`bits/${model}/worstPercent`, share, "%")}) got a score that was not the one they got alone. The largest difference at any size was ${fact(`bits/${model}/maxAbs`, Math.max(...check.sizes.map(({ maxAbs }) => maxAbs)), "", Math.max(...check.sizes.map(({ maxAbs }) => maxAbs)).toExponential(1))}, far too small to change a decision, yet not nothing. There were ${distinct} different scores to compare.`,
	);
}

/** What the two verdicts mean for the runs with a service. */
export function bitRule(source: Source, models: readonly string[]): void {
	const keep = models.filter((model) => bitsOf(source, model).identical);
	const lose = models.filter((model) => !bitsOf(source, model).identical);
	const lines: string[] = [];
	if (keep.length > 0)
		lines.push(
			`- ${keep.map((name) => `\`${name}\``).join(", ")}: every answer in notebooks \`03\` and \`05\` must equal the score of its row alone, to the bit. One that does not makes its run INVALID.`,
		);
	if (lose.length > 0)
		lines.push(
			`- ${lose.map((name) => `\`${name}\``).join(", ")}: differing answers are counted and the largest difference is reported.`,
		);
	tell(lines.join("\n"));
}

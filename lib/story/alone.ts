import { fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";
import { type Alone, aloneOf, callUs, type Source } from "./values.js";

const rowUs = (alone: Alone, size: number) => callUs(alone, size) / size;

/** How much cheaper a row is in company, at the size where it is cheapest. */
export function perRow(source: Source, model: string): void {
	const alone = aloneOf(source, model);
	const best = alone.bySize.reduce((a, b) => (b.us / b.size < a.us / a.size ? b : a)).size;
	const times = rowUs(alone, 1) / rowUs(alone, best);
	const one = fact(`alone/${model}/1/callUs`, callUs(alone, 1), "µs");
	const many = fact(`alone/${model}/${best}/rowUs`, rowUs(alone, best), "µs");
	const verdict =
		times >= 1.5
			? prose`**${fact(`alone/${model}/${best}/cheaperTimes`, times)} times** less.`
			: prose`${fact(`alone/${model}/${best}/cheaperTimes`, times)} times less: hardly worth a bus.`;
	tell(
		prose`One row of \`${model}\` alone took ${one}. A row was cheapest in calls with ${fact(`alone/${model}/${best}/size`, best, best === 1 ? "row" : "rows")}, where it cost ${many}: ${verdict}`,
	);
}

/** The line a + b·n through each model's times, and what the fixed part is as a share of a single call. */
export function fixedAndMarginal(source: Source, models: readonly string[]): void {
	const rows = models.map((model) => {
		const { fit } = aloneOf(source, model);
		const alone = aloneOf(source, model);
		return [
			`\`${model}\``,
			prose`${fact(`alone/${model}/fixedUs`, fit.fixedUs, "µs")}`,
			prose`${fact(`alone/${model}/marginalUs`, fit.marginalUs, "µs")}`,
			prose`${fact(`alone/${model}/fixedSharePercent`, (100 * fit.fixedUs) / callUs(alone, 1), "%")}`,
			prose`${fact(`alone/${model}/largestResidualPercent`, 100 * Math.max(...fit.residuals.map(({ share }) => Math.abs(share))), "%")}`,
		];
	});
	const head = [
		"model",
		"*a*, fixed",
		"*b*, one row",
		"*a* as a share of a call with one row",
		"largest distance of a time from the line",
	];
	tell(
		`${table([head, ...rows])}\n\nThe last column says how far the straight line is from the truth. Where it is large, trust the measured times and not the line.`,
	);
}

/** Where bigger batches stop paying, by the rule fixed beforehand. */
export function plateau(source: Source, models: readonly string[]): void {
	const lines = models.map((model) => {
		const alone = aloneOf(source, model);
		const largest = alone.bySize.at(-1)?.size ?? 1;
		return alone.plateau === null
			? prose`- \`${model}\`: **never**, up to ${fact(`alone/${model}/${largest}/size`, largest)} rows. Every doubling still saved at least a tenth per row.`
			: prose`- \`${model}\`: at **${fact(`alone/${model}/plateauSize`, alone.plateau, "rows")}**. A larger cap would not make a row much cheaper.`;
	});
	const worth = models.map((model) => {
		const alone = aloneOf(source, model);
		const saving = callUs(alone, 1) - rowUs(alone, Math.min(32, alone.bySize.at(-1)?.size ?? 1));
		return { model, saving };
	});
	const best = worth.reduce((a, b) => (b.saving > a.saving ? b : a));
	tell(
		`${lines.join("\n")}\n\n${prose`Which one is worth a bus? Sharing a call with others saves most core time per row for \`${best.model}\`: ${fact(`alone/${best.model}/savedUsAt32`, best.saving, "µs")} at ${fact("rule/comparedSize", 32)} rows. Whether that is a lot depends on what else a request costs. That is the question of notebook \`03\`.`}`,
	);
}

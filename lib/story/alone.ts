import { fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";
import { type Alone, aloneOf, callUs, rowUs, type Source } from "./values.js";

/** Repeats further apart than this, as a ratio, make a median a rough number. */
const WIDE = 1.5;
/** A line that misses no measured time by more than this share describes them well enough. */
const GOOD_LINE = 0.1;

/** The measured times of a call, a row a size and a column a model. */
export function callTimes(source: Source, models: readonly string[]): void {
	const all = models.map((model) => aloneOf(source, model));
	const sizes = [...new Set(all.flatMap(({ bySize }) => bySize.map(({ size }) => size)))].sort((a, b) => a - b);
	const rows = sizes.map((size) => {
		const timed = all.map(({ model, bySize }) => ({ model, us: bySize.find((point) => point.size === size)?.us }));
		const first = timed.find(({ us }) => us !== undefined)?.model ?? "";
		return [
			prose`${fact(`alone/${first}/${size}/size`, size)}`,
			...timed.map(({ model, us }) =>
				us === undefined ? "–" : prose`${fact(`alone/${model}/${size}/callUs`, us, "µs")}`,
			),
		];
	});
	tell(table([["rows in the call", ...models.map((model) => `a call of \`${model}\``)], ...rows]));
}

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
			: prose`${fact(`alone/${model}/${best}/cheaperTimes`, times)} times less: sharing a call saves hardly any of the model's time.`;
	tell(
		prose`One row of \`${model}\` alone took ${one}${repeats(alone)} A row was cheapest in calls with ${fact(`alone/${model}/${best}/size`, best, best === 1 ? "row" : "rows")}, where it cost ${many}: ${verdict}`,
	);
}

/** How far the repeats of the call with one row lie apart; nothing is said where there was only one. */
function repeats({ model, rounds, points }: Alone): string {
	const own = points.filter(({ size }) => size === 1).map(({ us }) => us);
	if (own.length < 2) return ".";
	const [low, high] = [Math.min(...own), Math.max(...own)];
	const key = `alone/${model}`;
	const range = prose` (from ${fact(`${key}/1/callUsLow`, low, "µs")} to ${fact(`${key}/1/callUsHigh`, high, "µs")} in ${fact(`${key}/rounds`, rounds.length)} repeats).`;
	return high / low < WIDE
		? range
		: `${range} That is a wide range: something disturbed a repeat, so take this time, and what is built on it, as a rough one.`;
}

/** The line a + b·n through each model's times, and what the fixed part is as a share of a single call. */
export function fixedAndMarginal(source: Source, models: readonly string[]): void {
	const all = models.map((model) => {
		const alone = aloneOf(source, model);
		const residual = Math.max(...alone.fit.residuals.map(({ share }) => Math.abs(share)));
		return { model, alone, residual };
	});
	const rows = all.map(({ model, alone, residual }) => [
		`\`${model}\``,
		prose`${fact(`alone/${model}/fixedUs`, alone.fit.fixedUs, "µs")}`,
		prose`${fact(`alone/${model}/marginalUs`, alone.fit.marginalUs, "µs")}`,
		prose`${fact(`alone/${model}/fixedSharePercent`, (100 * alone.fit.fixedUs) / callUs(alone, 1), "%")}`,
		prose`${fact(`alone/${model}/largestResidualPercent`, 100 * residual, "%")}`,
	]);
	const head = [
		"model",
		"*a*, fixed",
		"*b*, one row",
		"*a* ÷ the measured call with one row",
		"largest distance of a time from the line",
	];
	const poor = all.filter(({ residual }) => residual > GOOD_LINE).map(({ model }) => `\`${model}\``);
	const verdict =
		poor.length === 0
			? "Here it is good enough for every model."
			: `Here it is not good enough for ${poor.join(" and ")}: trust the measured times and not the line.`;
	tell(
		`${table([head, ...rows])}\n\nThe last column says how far the straight line is from the truth. If no measured time is further from the line than a tenth of itself, the line is good enough for everything we do with it. ${verdict}`,
	);
}

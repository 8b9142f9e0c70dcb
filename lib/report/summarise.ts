import { openSource } from "./open.js";
import { makeReport, type Report } from "./report.js";

const rate = (value: number | undefined) =>
	value === undefined
		? "is not measured"
		: value === 0
			? "kept up at none of the rates"
			: `kept up to ${Number(value.toPrecision(3))} S`;
const ms = (value: number | undefined) =>
	value === undefined ? "too few samples" : `${Number(value.toPrecision(3))} ms`;

/** The batched setting that kept up highest; among equals the one with the lowest p99 at the lowest rate. */
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

function modelLines(report: Report, model: string): string[] {
	const of = (key: string) => report.numbers.get(key);
	const s = of(`saturation/${model}/none/answersPerSecond`);
	const bits = report.facts.models.find(({ name }) => name === model)?.bits;
	const verdict =
		bits === "identical"
			? "batched scores are the single-row scores, to the bit"
			: bits === "differ"
				? "batched scores differ from single-row scores in their last bits"
				: "bits not checked";
	const best = bestBatched(report, model);
	const lines = [
		`${model}: S = ${s === undefined ? "not measured" : `${Math.round(s).toLocaleString("en-US")} answers a second`}; ${verdict}.`,
	];
	const kept = of(`sweep/${model}/none/highestKept`);
	const swept = report.facts.runs.some((run) => run.kind === "open" && run.model === model);
	if (kept === undefined)
		return [...lines, swept ? "  Its runs are INVALID, none of them counts." : "  The sweep has not been made yet."];
	if (best === undefined) return [...lines, `  none ${rate(kept)}; no batched setting has a valid run.`];
	const half = ["none", best].map((setting) => `${setting} ${ms(of(`sweep/${model}/${setting}/x0.5/p99Ms`))}`);
	const measuredHalf = of(`sweep/${model}/none/x0.5/rounds`) !== undefined;
	return [
		...lines,
		`  none ${rate(kept)}, ${best} ${rate(of(`sweep/${model}/${best}/highestKept`))}.`,
		...(measuredHalf ? [`  p99 at half of S: ${half.join(", ")}.`] : []),
	];
}

/**
 * What a run came to, in a few lines for a terminal: for each model S, the highest rate at which `none` and the best
 * batched setting kept up, both p99s at half of S, the bit verdict; then where to read more. Every number is computed
 * twice on the way.
 *
 * @param folder a run's folder
 * @throws {CodedError} `RECORD_MISSING`; `REPORT_DIFFERS`, exit code 1
 */
export function summariseRun(folder: string): string[] {
	const source = openSource(folder);
	try {
		const report = makeReport(source);
		const models = report.facts.models.map(({ name }) => name).sort();
		const disturbed = report.numbers.get("quiet/doubtfulPercent") ?? 0;
		return [
			...models.flatMap((model) => modelLines(report, model)),
			...(disturbed > 20
				? [
						`Read this with care: ${Math.round(disturbed)} % of the runs were disturbed by other programs or a machine that changed its speed.`,
					]
				: []),
			`Read more: ${folder}/06-report.ipynb, or npx workbook report ${folder}`,
		];
	} finally {
		source.close();
	}
}

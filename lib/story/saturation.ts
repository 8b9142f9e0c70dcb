import { fact, prose } from "../report/index.js";
import { median } from "../stats/index.js";
import { tell } from "./tell.js";
import { notMeasured, runsOf, type Source } from "./values.js";

/** Median answers a second of a setting in a closed loop, with its smallest and largest round. */
export interface Saturated {
	readonly setting: string;
	readonly answersPerSecond: number;
	readonly low: number;
	readonly high: number;
	readonly rounds: number;
}

/** Every setting that was saturated with `model`; `none` first. The A/A runs of `none` are left out. */
export function saturated(source: Source, model: string): Saturated[] {
	const runs = runsOf(source, { kind: "closed", model }).filter(({ role }) => role !== "aa" && role !== "pace");
	const settings = [...new Set(runs.map(({ setting }) => setting))].sort(
		(a, b) => Number(b === "none") - Number(a === "none") || a.localeCompare(b),
	);
	return settings.map((setting) => {
		const values = runs
			.filter((run) => run.setting === setting)
			.flatMap(({ summary: { answeredPerSecond } }) =>
				typeof answeredPerSecond === "number" ? [answeredPerSecond] : [],
			);
		if (values.length === 0) throw notMeasured(`the saturation of ${setting} with ${model}`, "run.saturation");
		return {
			setting,
			answersPerSecond: median(values),
			low: Math.min(...values),
			high: Math.max(...values),
			rounds: values.length,
		};
	});
}

/** S of a model, answers a second. @throws {CodedError} `NOT_MEASURED` */
export function sOf(source: Source, model: string): number {
	const none = saturated(source, model).find(({ setting }) => setting === "none");
	if (none === undefined) throw notMeasured(`S of ${model}`, "run.saturation");
	return none.answersPerSecond;
}

/** True for `nomodel` and `nomodel-deferred`, which compare with each other and not with S. */
export const isControl = (setting: string): boolean => setting.startsWith("nomodel");

/** S and the saturation of each batched setting, in words. */
export function saturation(source: Source, model: string): void {
	const s = sOf(source, model);
	const services = saturated(source, model).filter(({ setting }) => !isControl(setting));
	const lines = services.map(({ setting, answersPerSecond, low, high, rounds }) => {
		const key = `saturation/${model}/${setting}`;
		const range =
			rounds === 1
				? "one round only"
				: prose`from ${fact(`${key}/low`, Math.round(low))} to ${fact(`${key}/high`, Math.round(high))} a second in ${fact(`${key}/rounds`, rounds, "rounds")}`;
		const answers = fact(
			`${key}/answersPerSecond`,
			answersPerSecond,
			"answers a second",
			Math.round(answersPerSecond).toLocaleString("en-US"),
		);
		return setting === "none"
			? prose`- \`none\`: **S = ${answers}** (${range})`
			: prose`- \`${setting}\`: ${answers}, **${fact(`${key}/timesS`, answersPerSecond / s)} × S** (${range})`;
	});
	tell(`For \`${model}\`:\n\n${lines.join("\n")}`);
}

import { fact, prose } from "../report/index.js";
import { median } from "../stats/index.js";
import { table, tell } from "./tell.js";
import { aloneOf, callUs, notMeasured, over, perRound, runsOf, type Source } from "./values.js";

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

export function saturation(source: Source, model: string): void {
	const s = sOf(source, model);
	const lines = saturated(source, model).map(({ setting, answersPerSecond, low, high, rounds }) => {
		const key = `saturation/${model}/${setting}`;
		const range = prose`from ${fact(`${key}/low`, Math.round(low))} to ${fact(`${key}/high`, Math.round(high))} in ${fact(`${key}/rounds`, rounds, rounds === 1 ? "round" : "rounds")}`;
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

/** Where the core's time goes per answer, µs, at saturation. */
export interface CoreTime {
	readonly model: string;
	readonly setting: string;
	/** 1 / answers a second. */
	readonly totalUs: number;
	readonly serviceUs: number;
	readonly clientUs: number;
	/** The model call by itself (notebook 01), divided by the rows that shared it. Part of serviceUs. */
	readonly modelUs: number;
}

export function coreTimes(source: Source, model: string): CoreTime[] {
	const alone = aloneOf(source, model);
	return saturated(source, model)
		.filter(({ setting }) => setting === "none" || setting.startsWith("b"))
		.map(({ setting, answersPerSecond }) => {
			const runs = runsOf(source, { kind: "closed", model, setting }).filter(({ role }) => role === "setting");
			const perAnswer = (cpuUs: (run: (typeof runs)[number]) => number) =>
				median(runs.map((run) => cpuUs(run) / Math.max(1, run.counts.answered)));
			const meanBatch = over(perRound(source, { kind: "closed", model, setting }, "meanBatch")) ?? 1;
			const measured = alone.bySize.map(({ size }) => size);
			const nearest = measured.reduce(
				(a, b) => (Math.abs(Math.log(b / meanBatch)) < Math.abs(Math.log(a / meanBatch)) ? b : a),
				1,
			);
			const modelUs = setting === "none" ? callUs(alone, 1) : callUs(alone, nearest) / nearest;
			return {
				model,
				setting,
				totalUs: 1e6 / answersPerSecond,
				serviceUs: perAnswer((run) => run.serviceCpuUs),
				clientUs: perAnswer((run) => run.clientCpuUs),
				modelUs,
			};
		});
}

export function coreTime(source: Source, models: readonly string[]): void {
	const rows = models.flatMap((model) =>
		coreTimes(source, model).map(({ setting, totalUs, serviceUs, clientUs, modelUs }) => {
			const key = `coreTime/${model}/${setting}`;
			const cell = (name: string, us: number) => prose`${fact(`${key}/${name}`, us, "µs")}`;
			return [
				`\`${model}\` \`${setting}\``,
				cell("totalUs", totalUs),
				cell("modelUs", modelUs),
				cell("restOfServiceUs", serviceUs - modelUs),
				cell("clientUs", clientUs),
			];
		}),
	);
	const shares = models.flatMap((model) => {
		const none = coreTimes(source, model).find(({ setting }) => setting === "none");
		return none === undefined
			? []
			: [
					prose`for \`${model}\` the model is ${fact(`coreTime/${model}/none/modelSharePercent`, (100 * none.modelUs) / none.totalUs, "%")} of it`,
				];
	});
	tell(
		`${table([["", "core time an answer", "model", "rest of the service", "client"], ...rows])}\n\nOne by one, ${shares.join(", and ")}. No batcher can save more than the model's part and what the rest pays once per batch.`,
	);
}

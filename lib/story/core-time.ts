import { type Fact, fact, prose } from "../report/index.js";
import { median } from "../stats/index.js";
import { isControl, saturated } from "./saturation.js";
import { table, tell } from "./tell.js";
import { aloneOf, callUs, over, perRound, runsOf, type Source } from "./values.js";

/** What one answer costs the core at saturation, µs, as the operating system counted it. */
export interface Cost {
	readonly setting: string;
	readonly serviceUs: number;
	readonly clientUs: number;
	/** Of the two processes together. */
	readonly totalUs: number;
	/** Rows that left together, the middle one of the rounds' means; 1 without a batcher. */
	readonly meanBatch: number;
}

/** Of every setting that was saturated with `model`, the controls included. */
export function costs(source: Source, model: string): Cost[] {
	return saturated(source, model).map(({ setting }) => {
		const filter = { kind: "closed", model, setting } as const;
		const runs = runsOf(source, filter).filter(({ role }) => role !== "aa" && role !== "pace");
		const perAnswer = (cpuUs: (run: (typeof runs)[number]) => number) =>
			median(runs.map((run) => cpuUs(run) / Math.max(1, run.counts.answered)));
		const serviceUs = perAnswer((run) => run.serviceCpuUs);
		const clientUs = perAnswer((run) => run.clientCpuUs);
		const meanBatch = over(perRound(source, filter, "meanBatch")) ?? 1;
		return { setting, serviceUs, clientUs, totalUs: serviceUs + clientUs, meanBatch };
	});
}

/** Where the core's time goes per answer, µs, at saturation. */
export interface CoreTime extends Cost {
	readonly model: string;
	/** 1 / answers a second: the time there was for an answer. */
	readonly wallUs: number;
	/** The model call by itself (notebook 01), divided by the rows that shared it. Part of serviceUs. */
	readonly modelUs: number;
	/** Everything else of the service. */
	readonly restUs: number;
}

/** Of `none` and every batched setting. */
export function coreTimes(source: Source, model: string): CoreTime[] {
	const alone = aloneOf(source, model);
	const rates = new Map(saturated(source, model).map((one) => [one.setting, one.answersPerSecond]));
	return costs(source, model)
		.filter(({ setting }) => !isControl(setting))
		.map((cost) => {
			const measured = alone.bySize.map(({ size }) => size);
			const away = (size: number) => Math.abs(Math.log(size / cost.meanBatch));
			const nearest = measured.reduce((a, b) => (away(b) < away(a) ? b : a), 1);
			const modelUs = cost.setting === "none" ? callUs(alone, 1) : callUs(alone, nearest) / nearest;
			const wallUs = 1e6 / (rates.get(cost.setting) ?? Number.NaN);
			return { ...cost, model, wallUs, modelUs, restUs: cost.serviceUs - modelUs };
		});
}

/** Core time of an answer with its key. */
export function totalFact(model: string, { setting, totalUs }: Cost): Fact {
	return fact(`saturation/${model}/${setting}/coreUs`, totalUs, "µs");
}

/** A core with this share of its time left over, or more, had pauses; with as much too much, there was more than one. */
const PAUSE_SHARE = 0.05;

/** The table, and whether the core was really never idle. */
export function coreTime(source: Source, models: readonly string[]): void {
	const times = models.flatMap((model) => coreTimes(source, model));
	const rows = times.map((time) => {
		const { model, setting, modelUs, restUs, clientUs } = time;
		const key = `coreTime/${model}/${setting}`;
		return [
			`\`${model}\` \`${setting}\``,
			prose`${fact(`${key}/modelUs`, modelUs, "µs")}`,
			prose`${fact(`${key}/restOfServiceUs`, restUs, "µs")}`,
			prose`${fact(`${key}/clientUs`, clientUs, "µs")}`,
			prose`${totalFact(model, time)}`,
		];
	});
	const checks = times.filter(({ setting }) => setting === "none").map(idleInWords);
	tell(
		`${table([["an answer costs the core", "model", "rest of the service", "client", "together"], ...rows])}\n\n${checks.join("\n")}`,
	);
}

/** Was the core busy all the time? Held against a million / S, which says so without asking the operating system. */
export function idleInWords(time: CoreTime): string {
	const { model, totalUs, wallUs } = time;
	const spent = prose`\`${model}\`, \`none\`: a million divided by S is ${fact(`coreTime/${model}/none/totalUs`, wallUs, "µs")}, and the two programs used ${totalFact(model, time)} for an answer`;
	if (totalUs >= (1 + PAUSE_SHARE) * wallUs)
		return `- ${spent}. That is more than one core has: for some of the time the two programs ran side by side.`;
	return totalUs > (1 - PAUSE_SHARE) * wallUs
		? `- ${spent}. So, as far as two ways of measuring agree, the core had next to no pause.`
		: `- ${spent}. What is missing is time in which the core did something else, or nothing.`;
}

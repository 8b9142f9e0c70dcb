import type { FinishedRun } from "../../record/index.js";
import { secondAlone } from "./alone.js";
import { ends, middleOf } from "./arithmetic.js";
import type { Draft } from "./draft.js";
import { child, waitOf } from "./grouping.js";

/** A row's part of the call alone, at the measured size nearest to `rows` by ratio. */
function modelUs(draft: Draft, model: string, rows: number): number | undefined {
	const times = secondAlone(draft.facts.modelAlone);
	let best: { us: number; ratio: number } | undefined;
	for (const [key, us] of times) {
		const size = Number(
			new RegExp(`^alone/${model.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}/(\\d+)/rowUs$`).exec(key)?.[1],
		);
		if (Number.isNaN(size)) continue;
		const ratio = Math.max(size / rows, rows / size);
		if (best === undefined || ratio < best.ratio) best = { us, ratio };
	}
	return best?.us;
}

/** Smallest and largest multiple of S over the rounds that measured both. */
function putTimes(draft: Draft, key: string, runs: readonly FinishedRun[], none: readonly FinishedRun[]): void {
	const byRound = new Map(none.map((run) => [run.round, draft.of(run, "answeredPerSecond")]));
	let [low, high, rounds] = [Number.POSITIVE_INFINITY, 0, 0];
	for (const run of runs) {
		const [own, s] = [draft.of(run, "answeredPerSecond"), byRound.get(run.round)];
		if (own === undefined || s === undefined) continue;
		rounds++;
		if (own / s < low) low = own / s;
		if (own / s > high) high = own / s;
	}
	if (rounds === 0) return;
	draft.table.put(`${key}/timesSLow`, low);
	draft.table.put(`${key}/timesSHigh`, high);
	draft.table.put(`${key}/timesSRounds`, rounds);
}

/** The closed loops of one model: S, saturation of the other settings, and where a core's time goes. */
export function putSaturation(draft: Draft, model: string): void {
	const closed = draft.facts.runs.filter(
		(run) => run.kind === "closed" && run.model === model && run.role !== "aa" && run.verdict !== "INVALID",
	);
	const wanted = closed.some((run) => run.setting === "none" && run.role !== "pace")
		? closed.filter((run) => run.role !== "pace")
		: closed;
	const bySetting = new Map<string, FinishedRun[]>();
	for (const run of wanted) child(bySetting, run.setting, (): FinishedRun[] => []).push(run);
	const rateOf = (runs: readonly FinishedRun[]) => runs.map((run) => draft.of(run, "answeredPerSecond") ?? Number.NaN);
	const s = middleOf(rateOf(bySetting.get("none") ?? []));
	for (const [setting, runs] of bySetting) {
		const rates = rateOf(runs);
		const key = `saturation/${model}/${setting}`;
		const middle = middleOf(rates);
		const [low, high] = ends(rates);
		draft.table.put(`${key}/answersPerSecond`, middle);
		draft.table.put(`${key}/low`, low);
		draft.table.put(`${key}/high`, high);
		draft.table.put(`${key}/rounds`, rates.length);
		draft.table.put(`${key}/timesS`, middle / s);
		if (setting !== "none") putTimes(draft, key, runs, bySetting.get("none") ?? []);
		const answered = (run: FinishedRun) => draft.of(run, "answered") || 1;
		const serviceUs = middleOf(runs.map((run) => run.serviceCpuUs / answered(run)));
		const clientUs = middleOf(runs.map((run) => run.clientCpuUs / answered(run)));
		draft.table.put(`${key}/serviceUs`, serviceUs);
		draft.table.put(`${key}/clientUs`, clientUs);
		draft.table.put(`${key}/coreUs`, serviceUs + clientUs);
		const batches = runs.flatMap((run) => draft.of(run, "meanBatch") ?? []);
		const meanBatch = batches.length === 0 ? undefined : middleOf(batches);
		draft.table.put(`${key}/meanBatch`, meanBatch);
		const inside = runs.flatMap((run) => draft.of(run, "modelUsPerRow") ?? []);
		if (inside.length > 0) draft.table.put(`${key}/modelUsPerRow`, middleOf(inside));
		if (setting !== "none" && waitOf(setting) === undefined) continue;
		const inModelUs = modelUs(draft, model, setting === "none" ? 1 : (meanBatch ?? 1));
		if (inModelUs === undefined) continue;
		draft.table.put(`coreTime/${model}/${setting}/totalUs`, 1_000_000 / middle);
		draft.table.put(`coreTime/${model}/${setting}/modelUs`, inModelUs);
		draft.table.put(`coreTime/${model}/${setting}/restOfServiceUs`, serviceUs - inModelUs);
		draft.table.put(`coreTime/${model}/${setting}/clientUs`, clientUs);
		draft.table.put(`coreTime/${model}/${setting}/modelSharePercent`, (inModelUs * middle) / 10_000);
	}
}

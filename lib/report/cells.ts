import type { FinishedRun } from "../record/index.js";
import { parseSetting } from "../service/index.js";

/** The dials of a setting's name; B = 1 and no W where there is no batcher. */
export interface Dials {
	readonly batched: boolean;
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
}

export function dialsOf(setting: string): Dials {
	const parsed = parseSetting(setting);
	return parsed.kind === "batched"
		? { batched: true, maxBatchSize: parsed.maxBatchSize, maxWaitMs: parsed.maxWaitMs }
		: { batched: false, maxBatchSize: 1, maxWaitMs: 0 };
}

/** The runs of one setting at one rate, by round. Runs marked INVALID are no evidence and are not among them. */
export interface Cell {
	readonly model: string;
	/** As in the record; the A/A runs of `none` are `none again`. */
	readonly setting: string;
	readonly rateMultiple: number;
	readonly runs: readonly FinishedRun[];
}

/** Name of a run's setting in charts and keys: a second `none` must not be taken for the first. */
export function settingName(run: Pick<FinishedRun, "setting" | "role">): string {
	return run.role === "aa" ? `${run.setting} again` : run.setting;
}

/** `none` first, then by B and W, controls and `none again` last. */
export function orderSettings(settings: Iterable<string>): string[] {
	const place = (setting: string) => (setting === "none" ? 0 : /^b\d/.test(setting) ? 1 : 2);
	return [...new Set(settings)].sort((a, b) => place(a) - place(b) || a.localeCompare(b, "en", { numeric: true }));
}

const isEvidence = (run: FinishedRun) => run.verdict !== "INVALID";

/** Two runs of one round can be compared if both met the same arrivals and a machine that kept its speed. */
export function isPair(run: FinishedRun, other: FinishedRun): boolean {
	const sameArrivals = run.seed === other.seed && run.ratePerSecond === other.ratePerSecond;
	return sameArrivals && !run.canary.drifted && !other.canary.drifted;
}

/** All cells of the sweep, by model, setting and rate. */
export function cellsOf(runs: readonly FinishedRun[]): Cell[] {
	const cells = new Map<string, { model: string; setting: string; rateMultiple: number; runs: FinishedRun[] }>();
	for (const run of runs) {
		if (run.kind !== "open" || run.rateMultiple === null || !isEvidence(run)) continue;
		const key = `${run.model} ${settingName(run)} ${run.rateMultiple}`;
		const cell = cells.get(key) ?? {
			model: run.model,
			setting: settingName(run),
			rateMultiple: run.rateMultiple,
			runs: [],
		};
		cell.runs.push(run);
		cells.set(key, cell);
	}
	const found = [...cells.values()];
	for (const cell of found) cell.runs.sort((a, b) => a.round - b.round);
	const order = orderSettings(found.map(({ setting }) => setting));
	return found.sort(
		(a, b) =>
			a.model.localeCompare(b.model) ||
			order.indexOf(a.setting) - order.indexOf(b.setting) ||
			a.rateMultiple - b.rateMultiple,
	);
}

/** Closed-loop runs of a setting, by round. The pace runs of a sweep stand in for S only where nothing else was measured. */
export function closedRunsOf(runs: readonly FinishedRun[], model: string): ReadonlyMap<string, FinishedRun[]> {
	const closed = runs.filter(
		(run) => run.kind === "closed" && run.model === model && run.role !== "aa" && isEvidence(run),
	);
	const measured = closed.filter(({ role }) => role !== "pace");
	const hasNone = measured.some(({ setting }) => setting === "none");
	const counted = hasNone ? measured : closed;
	const found = new Map<string, FinishedRun[]>();
	for (const setting of orderSettings(counted.map((run) => run.setting))) {
		const own = counted.filter((run) => run.setting === setting);
		found.set(
			setting,
			own.sort((a, b) => a.round - b.round),
		);
	}
	return found;
}

export function modelsOf(runs: readonly { readonly model: string }[]): string[] {
	return [...new Set(runs.map(({ model }) => model))].sort();
}

import type { FinishedRun, RecordReader } from "../record/index.js";
import { median } from "../stats/index.js";

/** One setting at one rate, over its rounds: what the sweep prints. The report computes its own from the columns. */
export interface SweepPoint {
	readonly model: string;
	/** The setting; `none again` for the second `none`. */
	readonly name: string;
	readonly setting: string;
	readonly rateMultiple: number;
	readonly rounds: number;
	readonly keptUpRounds: number;
	/** Medians over the rounds; null where no round has enough samples. */
	readonly answeredPerSecond: number | null;
	readonly p50Ms: number | null;
	readonly p99Ms: number | null;
}

function medianOf(runs: readonly FinishedRun[], name: string): number | null {
	const values = runs.flatMap(({ summary }) => {
		const value = summary[name];
		return typeof value === "number" ? [value] : [];
	});
	return values.length === 0 ? null : median(values);
}

/** The points of a sweep, in the order of models, settings (none first) and rates. INVALID runs are left out. */
export function sweepPoints(record: RecordReader): SweepPoint[] {
	const groups = new Map<string, FinishedRun[]>();
	for (const run of record.finishedRuns({ kind: "open" })) {
		if (run.verdict === "INVALID") continue;
		const key = JSON.stringify([run.model, run.setting, run.role, run.rateMultiple]);
		groups.set(key, [...(groups.get(key) ?? []), run]);
	}
	const points = [...groups.values()].flatMap((runs): SweepPoint[] => {
		const [first] = runs;
		if (first === undefined || first.rateMultiple === null) return [];
		return [
			{
				model: first.model,
				name: first.role === "aa" ? `${first.setting} again` : first.setting,
				setting: first.setting,
				rateMultiple: first.rateMultiple,
				rounds: runs.length,
				keptUpRounds: runs.filter(({ summary }) => summary.keepsUp === true).length,
				answeredPerSecond: medianOf(runs, "answeredPerSecond"),
				p50Ms: medianOf(runs, "p50Ms"),
				p99Ms: medianOf(runs, "p99Ms"),
			},
		];
	});
	const place = ({ name }: SweepPoint) => (name === "none" ? 0 : name === "none again" ? 1 : 2);
	return points.sort(
		(a, b) =>
			a.model.localeCompare(b.model) ||
			place(a) - place(b) ||
			a.name.localeCompare(b.name, "en", { numeric: true }) ||
			a.rateMultiple - b.rateMultiple,
	);
}

import type { FinishedRun } from "../../record/index.js";

const nameOf = ({ setting, role }: FinishedRun) => (role === "aa" ? `${setting} again` : setting);
/** W of a batched setting, ms; undefined for one without a batcher. */
export const waitOf = (name: string): number | undefined => {
	const found = /^b\d+w([\d.]+)$/.exec(name)?.[1];
	return found === undefined ? undefined : Number(found);
};

/** Runs of one cell by round, cells of one rate by setting, rates of one model, models of the sweep. */
export type ByRound = Map<number, FinishedRun>;
export type BySetting = Map<string, ByRound>;
export type ByRate = Map<number, BySetting>;
export type Sweep = Map<string, ByRate>;

/** What a map holds for a key; made when it is asked for first. */
export function child<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}

/** The valid open-loop runs, by model, rate, setting and round. */
export function sweepOf(runs: readonly FinishedRun[]): Sweep {
	const sweep: Sweep = new Map();
	for (const run of runs) {
		if (run.kind !== "open" || run.verdict === "INVALID" || run.rateMultiple === null) continue;
		const rates = child(sweep, run.model, (): ByRate => new Map());
		const settings = child(rates, run.rateMultiple, (): BySetting => new Map());
		child(settings, nameOf(run), (): ByRound => new Map()).set(run.round, run);
	}
	return sweep;
}

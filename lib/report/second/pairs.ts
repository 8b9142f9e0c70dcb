import { ends, findableScatters, middleOf, scatter, signs } from "./arithmetic.js";
import type { Draft } from "./draft.js";
import { type ByRate, type ByRound, type BySetting, waitOf } from "./grouping.js";

/** first − second, round by round, where the machine did not drift. */
function roundByRound(draft: Draft, first: ByRound, second: ByRound, name: string): number[] {
	const found: number[] = [];
	for (const [round, run] of first) {
		const other = second.get(round);
		if (other === undefined || run.canary.drifted || other.canary.drifted) continue;
		const [a, b] = [draft.of(run, name), draft.of(other, name)];
		if (a !== undefined && b !== undefined) found.push(a - b);
	}
	return found;
}

function putPair(draft: Draft, key: string, differences: readonly number[]): void {
	if (differences.length === 0) return;
	const rounds = differences.length;
	const [up, down] = signs(differences);
	const [low, high] = ends(differences);
	draft.table.put(`${key}/median`, middleOf(differences));
	draft.table.put(`${key}/low`, low);
	draft.table.put(`${key}/high`, high);
	draft.table.put(`${key}/agree`, Math.max(up, down));
	draft.table.put(`${key}/rounds`, rounds);
	draft.table.put(`${key}/coveragePercent`, 100 - 200 / 2 ** rounds);
	draft.table.put(`${key}/smallestP`, rounds < 2 ? 1 : 1 / 2 ** (rounds - 1));
	if (rounds >= 5) draft.table.put(`${key}/toldApart`, up === rounds ? 1 : down === rounds ? -1 : 0);
}

/** Every setting of one rate against every other. */
export function putPairs(draft: Draft, model: string, rate: number, settings: BySetting): void {
	for (const [one, runs] of settings) {
		for (const [other, others] of settings) {
			if (one === other) continue;
			for (const name of ["p50Ms", "p99Ms"]) {
				putPair(draft, `pair/${model}/${one}~${other}/x${rate}/${name}`, roundByRound(draft, runs, others, name));
			}
		}
	}
}

/** In how many settings a wait told its median apart from that of none, and beat all that do not wait. */
export function putWaits(draft: Draft, model: string, rate: number, settings: readonly string[]): void {
	if (!settings.includes("none")) return;
	const timed = settings.filter((name) => (waitOf(name) ?? 0) > 0);
	const free = settings.filter((name) => waitOf(name) === 0);
	const key = `wait/${model}/x${rate}`;
	draft.table.put(`${key}/timedSettings`, timed.length);
	draft.table.put(`${key}/freeSettings`, free.length);
	const apart = (one: string, other: string, name: string) =>
		draft.table.numbers.get(`pair/${model}/${one}~${other}/x${rate}/${name}/toldApart`);
	let [decided, slower, alike, wins] = [true, 0, 0, 0];
	for (const name of timed) {
		const verdict = apart(name, "none", "p50Ms");
		if (verdict === undefined) decided = false;
		if (verdict === 1) slower++;
		let beaten = true;
		for (const other of free) if (other !== "b1w0" && apart(name, other, "p99Ms") !== -1) beaten = false;
		if (beaten) wins++;
	}
	for (const name of free) {
		const verdict = apart(name, "none", "p50Ms");
		if (verdict === undefined) decided = false;
		if (verdict === 0) alike++;
	}
	if (!decided) return;
	draft.table.put(`${key}/timedSlower`, slower);
	draft.table.put(`${key}/freeNotToldApart`, alike);
	if (free.some((name) => name !== "b1w0")) draft.table.put(`${key}/timedBeatsAllFree`, wins);
}

/** The second `none` against the first. */
export function putSelf(draft: Draft, model: string, rates: ByRate): void {
	let [alike, comparisons, expected, fewest] = [0, 0, 0, Number.POSITIVE_INFINITY];
	for (const [rate, settings] of rates) {
		const [none, again] = [settings.get("none"), settings.get("none again")];
		if (none === undefined || again === undefined) continue;
		const differences = roundByRound(draft, none, again, "p99Ms");
		const rounds = differences.length;
		if (rounds === 0) continue;
		const [up, down] = signs(differences);
		draft.table.put(`aa/${model}/x${rate}/agree`, Math.max(up, down));
		draft.table.put(`aa/${model}/x${rate}/rounds`, rounds);
		comparisons++;
		if (rounds > 1) {
			const sd = scatter(differences);
			draft.table.put(`power/${model}/x${rate}/spreadMs`, sd);
			draft.table.put(`power/${model}/x${rate}/findableMs`, sd * findableScatters());
		}
		if (up === rounds || down === rounds) alike++;
		expected += Math.min(1, 2 / 2 ** rounds);
		fewest = Math.min(fewest, rounds);
	}
	if (comparisons === 0) return;
	draft.table.put(`aa/${model}/allAgree`, alike);
	draft.table.put(`aa/${model}/comparisons`, comparisons);
	draft.table.put(`aa/${model}/expected`, expected);
	draft.table.put(`aa/${model}/roundsEach`, fewest);
}

import { atLeastSoMany, ends, findableScatters, middleOf, scatter, signs, signTestRounds } from "./arithmetic.js";
import type { Draft } from "./draft.js";
import { type ByRate, type ByRound, type BySetting, waitOf } from "./grouping.js";

/** first − second, round by round, on equal arrivals and where the machine did not drift. */
function roundByRound(draft: Draft, first: ByRound, second: ByRound, name: string): number[] {
	const found: number[] = [];
	for (const [round, run] of first) {
		const other = second.get(round);
		if (other === undefined || run.canary.drifted || other.canary.drifted) continue;
		if (other.seed !== run.seed || other.ratePerSecond !== run.ratePerSecond) continue;
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
	let [decided, raced, slower, alike, wins] = [true, true, 0, 0, 0];
	for (const name of timed) {
		const verdict = apart(name, "none", "p50Ms");
		if (verdict === undefined) decided = false;
		if (verdict === 1) slower++;
		let beaten = true;
		for (const other of free) {
			if (other === "b1w0") continue;
			const race = apart(name, other, "p99Ms");
			if (race === undefined) raced = false;
			if (race !== -1) beaten = false;
		}
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
	if (raced && free.some((name) => name !== "b1w0")) draft.table.put(`${key}/timedBeatsAllFree`, wins);
}

/** How many times a batched setting was held against `none` at one rate, and how often luck makes all rounds agree. */
export function putLuck(draft: Draft, model: string, rate: number, settings: readonly string[]): void {
	let [comparisons, expected] = [0, 0];
	for (const setting of settings) {
		if (waitOf(setting) === undefined) continue;
		for (const name of ["p50Ms", "p99Ms"]) {
			const rounds = draft.table.numbers.get(`pair/${model}/${setting}~none/x${rate}/${name}/rounds`);
			if (rounds === undefined) continue;
			comparisons++;
			expected += Math.min(1, 2 / 2 ** rounds);
		}
	}
	if (comparisons === 0) return;
	draft.table.put(`luck/${model}/x${rate}/comparisons`, comparisons);
	draft.table.put(`luck/${model}/x${rate}/expected`, expected);
}

/** What can be found by rounds that scatter like this. */
function putPower(draft: Draft, model: string, rate: number, differences: readonly number[]): void {
	if (differences.length < 2) return;
	const sd = scatter(differences);
	const key = `power/${model}/x${rate}`;
	draft.table.put(`${key}/spreadMs`, sd);
	draft.table.put(`${key}/findableMs`, sd * findableScatters());
	const p99Ms = draft.table.numbers.get(`sweep/${model}/none/x${rate}/p99Ms`);
	if (p99Ms === undefined) return;
	draft.table.put(`${key}/tenthMs`, 0.1 * p99Ms);
	draft.table.put(`${key}/roundsForTenth`, signTestRounds((0.1 * p99Ms) / sd));
}

/** The second `none` against the first. */
export function putSelf(draft: Draft, model: string, rates: ByRate): void {
	let [alike, comparisons, expected, fewest] = [0, 0, 0, Number.POSITIVE_INFINITY];
	const lucks: number[] = [];
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
		putPower(draft, model, rate, differences);
		if (up === rounds || down === rounds) alike++;
		lucks.push(Math.min(1, 2 / 2 ** rounds));
		expected += Math.min(1, 2 / 2 ** rounds);
		fewest = Math.min(fewest, rounds);
	}
	if (comparisons === 0) return;
	draft.table.put(`aa/${model}/allAgree`, alike);
	draft.table.put(`aa/${model}/comparisons`, comparisons);
	draft.table.put(`aa/${model}/expected`, expected);
	draft.table.put(`aa/${model}/roundsEach`, fewest);
	draft.table.put(`aa/${model}/soManyByLuckPercent`, 100 * atLeastSoMany(lucks, alike));
}

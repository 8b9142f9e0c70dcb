import { fact, prose } from "../report/index.js";
import { type BusRules, busGame } from "./game.js";
import { listed, table, tell } from "./tell.js";

/** The three rules of a driver, as the game of notebook 00 plays them. */
const RULES: readonly (BusRules & { readonly name: string })[] = [
	{ name: "one by one", seats: 1, waitMinutes: 0 },
	{ name: "full, or after a wait", seats: 4, waitMinutes: 3 },
	{ name: "as soon as it is back", seats: 4, waitMinutes: 0 },
];

/** What one rule did with the twelve people. */
export interface RuleSeen extends BusRules {
	readonly name: string;
	readonly trips: number;
	/** From coming to the stop to getting off, minutes. */
	readonly meanMinutes: number;
	readonly longestMinutes: number;
}

/** The same morning under each of the three rules. */
export async function rulesSeen(): Promise<RuleSeen[]> {
	return Promise.all(
		RULES.map(async (rule) => {
			const { trips, journeys } = await busGame(rule);
			return {
				...rule,
				trips: trips.length,
				meanMinutes: journeys.reduce((sum, minutes) => sum + minutes, 0) / journeys.length,
				longestMinutes: Math.max(...journeys),
			};
		}),
	);
}

/** Shows the three rules side by side, and which of them is best at what. */
export async function compareRules(): Promise<void> {
	const seen = await rulesSeen();
	const rows = seen.map((rule) => {
		const key = `virtual/bus/${rule.seats}/${rule.waitMinutes}`;
		return [
			rule.name,
			prose`${fact(`${key}/seats`, rule.seats)}`,
			prose`${fact(`${key}/wait`, rule.waitMinutes)}`,
			prose`${fact(`${key}/trips`, rule.trips)}`,
			prose`${fact(`${key}/mean`, rule.meanMinutes)}`,
			prose`${fact(`${key}/longest`, rule.longestMinutes)}`,
		];
	});
	const head = [
		"rule",
		"seats",
		"wait, minutes",
		"trips",
		"minutes a person needed, on average",
		"minutes the unluckiest needed",
	];
	tell(`${table([head, ...rows])}\n\n${rulesInWords(seen)}`);
}

/** Who is best at saving trips, and who at saving people's time; right whichever rule it is. */
export function rulesInWords(seen: readonly RuleSeen[]): string {
	const best = (of: (rule: RuleSeen) => number, pick: (...values: number[]) => number) =>
		seen.filter((rule) => of(rule) === pick(...seen.map(of))).map(({ name }) => `*${name}*`);
	const fewest = best(({ trips }) => trips, Math.min);
	const quickest = best(({ meanMinutes }) => meanMinutes, Math.min);
	const most = best(({ trips }) => trips, Math.max);
	const slowest = best(({ meanMinutes }) => meanMinutes, Math.max);
	const winners =
		listed(fewest) === listed(quickest)
			? `If fuel is dear or if people are impatient, the choice is the same: ${listed(fewest)}.`
			: `If fuel is dear, choose ${listed(fewest)}: the fewest trips. If people are impatient, choose ${listed(quickest)}: the shortest journeys.`;
	const loser =
		listed(most) === listed(slowest)
			? ` Worst at both was ${listed(most)}: while the bus drives for one person, others have to wait for it to come back.`
			: "";
	return winners + loser;
}

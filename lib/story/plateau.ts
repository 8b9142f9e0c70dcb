import { fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";
import { type Alone, aloneOf, callUs, rowUs, type Source } from "./values.js";

/** Where bigger batches stop paying, by the rule fixed beforehand. */
export function plateau(source: Source, models: readonly string[]): void {
	const lines = models.map((model) => {
		const alone = aloneOf(source, model);
		const largest = alone.bySize.at(-1)?.size ?? 1;
		return alone.plateau === null
			? prose`- \`${model}\`: **never**, up to ${fact(`alone/${model}/${largest}/size`, largest)} rows. Every doubling still saved at least a tenth per row.`
			: prose`- \`${model}\`: at **${fact(`alone/${model}/plateauSize`, alone.plateau, alone.plateau === 1 ? "row" : "rows")}**${doubled(alone, alone.plateau)}.`;
	});
	tell(lines.join("\n"));
}

/** What the doublings before and after the plateau saved. */
function doubled(alone: Alone, plateauSize: number): string {
	const after = doubling(alone, plateauSize);
	if (after === "") return "";
	const before = doubling(alone, plateauSize / 2);
	return before === "" ? `: ${after}` : `: ${after}, while ${before}`;
}

/** "from 64 to 128 rows a row got 7 % cheaper (1.54 → 1.43 µs)"; nothing where one of the two was not measured. */
function doubling(alone: Alone, from: number): string {
	const to = 2 * from;
	const has = (size: number) => alone.bySize.some((point) => point.size === size);
	if (!has(from) || !has(to)) return "";
	const key = `alone/${alone.model}`;
	const savedPercent = 100 * (1 - rowUs(alone, to) / rowUs(alone, from));
	const saved =
		savedPercent > 0 ? prose`${fact(`${key}/${to}/savedPercent`, savedPercent, "%")} cheaper` : "no cheaper";
	return prose`from ${fact(`${key}/${from}/size`, from)} to ${fact(`${key}/${to}/size`, to)} rows a row got ${saved} (${fact(`${key}/${from}/rowUs`, rowUs(alone, from), "µs")}, then ${fact(`${key}/${to}/rowUs`, rowUs(alone, to), "µs")})`;
}

/** What sharing saves a row, counted in times and counted in microseconds, and which of the two decides. */
export function worthABus(source: Source, models: readonly string[]): void {
	const all = models.map((model) => {
		const alone = aloneOf(source, model);
		const size = Math.min(32, alone.bySize.at(-1)?.size ?? 1);
		const [single, shared] = [callUs(alone, 1), rowUs(alone, size)];
		return { model, size, single, shared, times: single / shared, savedUs: single - shared };
	});
	const rows = all.map(({ model, size, single, shared, times, savedUs }) => [
		`\`${model}\``,
		prose`${fact(`alone/${model}/1/callUs`, single, "µs")}`,
		prose`${fact(`alone/${model}/${size}/rowUs`, shared, "µs")}`,
		prose`${fact(`alone/${model}/${size}/cheaperTimes`, times, "times")}`,
		prose`${fact(`alone/${model}/savedUsAt32`, savedUs, "µs")}`,
	]);
	const head = ["model", "a row alone", "a row among thirty-two", "so many times cheaper", "microseconds saved"];
	tell(`${table([head, ...rows])}\n\n${worthInWords(all)}`);
}

/** What sharing does for one model. */
export interface Worth {
	readonly model: string;
	readonly times: number;
	readonly savedUs: number;
}

/** Which model gains more, counted both ways; right whether or not the two counts agree. */
export function worthInWords(all: readonly Worth[]): string {
	const most = (of: (worth: Worth) => number) => all.reduce((a, b) => (of(b) > of(a) ? b : a));
	const [inTimes, inUs] = [most(({ times }) => times), most(({ savedUs }) => savedUs)];
	if (inUs.savedUs <= 0)
		return "Sharing saves nothing of the model's time for any of them. What else a bus can save is the question of notebook `03`.";
	const decides = "A core has microseconds to spend, and not times, so the microseconds decide";
	const whichOne =
		inTimes.model === inUs.model
			? `Counted in *times* and counted in *microseconds*, \`${inUs.model}\` gains more. Where the two differ, remember: ${decides.charAt(0).toLowerCase()}${decides.slice(1)}.`
			: `Counted in *times*, \`${inTimes.model}\` gains more; counted in *microseconds*, \`${inUs.model}\` does. ${decides}: \`${inUs.model}\` is more worth a bus.`;
	return `${whichOne} Whether that is a lot depends on what else a request costs. That is the question of notebook \`03\`.`;
}

import { fact, prose } from "../report/index.js";
import { ratesOf } from "./sweep.js";
import { table, tell } from "./tell.js";
import { runsOf, type Source } from "./values.js";

/** S and the rates of each round, requests a second: what "1.6 × S" really was. */
export function rates(source: Source, models: readonly string[]): void {
	const multiples = [...new Set(models.flatMap((model) => ratesOf(source, model)))].sort((a, b) => a - b);
	const rows = models.flatMap((model) => {
		const runs = runsOf(source, { kind: "open", model });
		return [...new Set(runs.map(({ round }) => round))].map((round) => {
			const own = runs.filter((run) => run.round === round);
			const [first] = own;
			const perSecond = (x: number) => {
				const run = own.find(({ rateMultiple }) => rateMultiple === x);
				return run?.ratePerSecond == null
					? "–"
					: prose`${fact(`run/${run.id}/ratePerSecond`, Math.round(run.ratePerSecond))}`;
			};
			const s = first?.saturationPerSecond;
			return [
				`\`${model}\``,
				first === undefined ? "" : prose`${fact(`run/${first.id}/round`, round)}`,
				first === undefined || s == null
					? "–"
					: prose`**${fact(`run/${first.id}/saturationPerSecond`, Math.round(s))}**`,
				...multiples.map(perSecond),
			];
		});
	});
	if (rows.length === 0) {
		tell("There is no valid run to tell about.");
		return;
	}
	const head = ["model", "round", "S", ...multiples.map((x) => prose`${fact(`rate/x${x}`, x, "× S")}`)];
	const gaps = rows.flat().includes("–") ? "\n\n– = not measured with this profile, or INVALID." : "";
	tell(`Requests a second:\n\n${table([head, ...rows])}${gaps}`);
}

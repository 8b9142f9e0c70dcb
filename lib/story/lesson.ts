import { type Fact, fact, prose } from "../report/index.js";
import { sOf } from "./saturation.js";
import { differences, highestKept } from "./sweep.js";
import { table, tell } from "./tell.js";
import { aloneOf, callUs, over, perRound, runsOf, type Source } from "./values.js";

/** One line of a comparison: what, the lesson's number, ours. `undefined`: not measured with this profile. */
type Line = readonly [what: string, lesson: Fact, here: Fact | undefined];

const maybe = (key: string, value: number | undefined, unit: string): Fact | undefined =>
	value === undefined ? undefined : fact(key, value, unit);

function besides(lines: readonly Line[]): string {
	const rows = lines.map(([what, lesson, here]) => [
		what,
		prose`${lesson}`,
		here === undefined ? "not measured here" : prose`${here}`,
	]);
	return table([["", "the lesson (Python, rented one-core machine)", "here"], ...rows]);
}

/** Part A of the lesson beside ours. */
export function modelBesideTheLesson(source: Source): void {
	const alone = aloneOf(source, "gbt");
	const largest = alone.bySize.at(-1)?.size ?? 1;
	const whole = largest === 1024;
	const one = callUs(alone, 1);
	const many = whole ? callUs(alone, 1024) : undefined;
	tell(
		`${besides([
			["one row, a call", fact("reference/lesson-064", 501.7, "µs"), fact("alone/gbt/1/callUs", one, "µs")],
			["`1024` rows, a call", fact("reference/lesson-065", 2628.8, "µs"), maybe("alone/gbt/1024/callUs", many, "µs")],
			[
				"fixed cost of a call",
				fact("reference/lesson-077", 500, "µs"),
				fact("alone/gbt/fixedUs", alone.fit.fixedUs, "µs"),
			],
			[
				"cost of a row",
				fact("reference/lesson-078", 2.6, "µs"),
				fact("alone/gbt/marginalUs", alone.fit.marginalUs, "µs"),
			],
			[
				"a row in the largest batch is cheaper by",
				fact("reference/lesson-068", 195, "times"),
				maybe("alone/gbt/1024/cheaperTimes", many === undefined ? undefined : one / (many / 1024), "times"),
			],
		])}\n\n${prose`It is the same kind of model. What differs is what stands around it: the fixed cost here is ${fact("alone/gbt/fixedTimesLess", 500 / alone.fit.fixedUs)} times smaller, because Python's share of a call is gone. So a bus has less to save for \`gbt\` than it had in the lesson, and \`ft\` stands in for the models that still have a fixed cost.`}`,
	);
}

/** The lesson's headline beside ours. */
export function sweepBesideTheLesson(source: Source, model: string): void {
	const p = (setting: string, rateMultiple: number, name: string) =>
		over(perRound(source, { kind: "open", model, setting, role: "setting", rateMultiple }, name));
	const keptTo = (setting: string) =>
		maybe(
			`sweep/${model}/${setting}/highestKept`,
			runsOf(source, { kind: "open", model, setting, role: "setting" }).length === 0
				? undefined
				: highestKept(source, model, setting),
			"× S",
		);
	const key = (setting: string, x: number, name: string) => `sweep/${model}/${setting}/x${x}/${name}`;
	const added = over(differences(source, model, "b32w2", "none", 0.5, "p50Ms"));
	tell(
		`For \`${model}\`:\n\n${besides([
			[
				"S, answers a second",
				fact("reference/lesson-093", 1098.4),
				fact(`saturation/${model}/none/answersPerSecond`, sOf(source, model)),
			],
			["`none` kept up to", fact("reference/lesson-141", 0.8, "× S"), keptTo("none")],
			["`b32w0` kept up to", fact("rule/lessonHighestRate", 2.5, "× S"), keptTo("b32w0")],
			[
				"p99 of `none` at half of S",
				fact("reference/lesson-015", 5.26, "ms"),
				maybe(key("none", 0.5, "p99Ms"), p("none", 0.5, "p99Ms"), "ms"),
			],
			[
				"p99 of `b32w0` at half of S",
				fact("reference/lesson-016", 2.5, "ms"),
				maybe(key("b32w0", 0.5, "p99Ms"), p("b32w0", 0.5, "p99Ms"), "ms"),
			],
			[
				"a wait of `W = 2` adds to the p50 there",
				fact("reference/lesson-017~018", 3.11 - 1.18, "ms", "1.93"),
				maybe(`pair/${model}/b32w2~none/x0.5/p50Ms/median`, added, "ms"),
			],
		])}`,
	);
}

import { type Fact, fact, prose } from "../report/index.js";
import { table, tell } from "./tell.js";
import { aloneOf, callUs, type Source } from "./values.js";

/** One line of a comparison: what, the lesson's number, ours. `undefined`: not measured with this profile. */
type Line = readonly [what: string, lesson: Fact, here: Fact | undefined];

const maybe = (key: string, value: number | undefined, unit: string): Fact | undefined =>
	value === undefined ? undefined : fact(key, value, unit);

function besides(lines: readonly Line[]): string {
	const rows = lines.map(([what, lesson, here]) => [
		what,
		prose`${lesson}`,
		here === undefined ? "not measured" : prose`${here}`,
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
				// The lesson's "cost of a row", 2.6, is this quotient and not the slope of a line, so ours is the quotient too.
				"a row when `1024` share the call",
				fact("reference/lesson-067", 2.57, "µs"),
				maybe("alone/gbt/1024/rowUs", many === undefined ? undefined : many / 1024, "µs"),
			],
			[
				"a row among `1024` is cheaper than a row alone by",
				fact("reference/lesson-068", 195, "times"),
				maybe("alone/gbt/1024/cheaperTimes", many === undefined ? undefined : one / (many / 1024), "times"),
			],
		])}\n\nIt is the same kind of model. ${fixedBesideTheLesson(source)}`,
	);
}

/** What became of the lesson's fixed cost; right whether it is gone or not. */
export function fixedBesideTheLesson(source: Source): string {
	const { fixedUs } = aloneOf(source, "gbt").fit;
	const [theirs, ours] = [
		fact("reference/lesson-077", 500, "", "500"),
		// One digit more than usual, so that a reader who divides gets the quotient that stands behind it.
		fact("alone/gbt/fixedUs", fixedUs, "", String(Number(fixedUs.toPrecision(4)))),
	];
	const times = 500 / fixedUs;
	if (!(times >= 1.5))
		return prose`Its fixed cost, ${theirs} µs there and ${ours} µs here, is not clearly smaller. So a bus has as much to save for \`gbt\` here as it had in the lesson.`;
	const smaller = prose`Its fixed cost is ${theirs} ÷ ${ours} = **${fact("alone/gbt/fixedTimesLess", times)} times smaller** here, most likely because Python's own share of each call is gone; we did not measure that. So a bus has less to save for \`gbt\` than it had in the lesson.`;
	if (source.record.modelAlone("ft").length === 0) return smaller;
	const large = aloneOf(source, "ft").fit.fixedUs;
	return large >= 2 * fixedUs
		? prose`${smaller} \`ft\`, whose calls have a fixed cost of ${fact("alone/ft/fixedUs", large, "µs")}, stands in for the models that still have a large one.`
		: smaller;
}

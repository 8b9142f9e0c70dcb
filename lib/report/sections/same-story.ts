import { fact, prose } from "../prose.js";
import { REFERENCES } from "../reference.js";
import { table } from "../table.js";
import { mainBatched } from "./answer.js";
import { type Context, code, type Section } from "./context.js";
import { besideLesson } from "./headline.js";
import { changeWords, countWord, keptWords, outcomeOf } from "./words.js";

/** One statement of the lesson's story, and whether this run tells it too. */
interface Statement {
	readonly says: string;
	readonly lesson: string;
	readonly here: string;
	/** undefined: this run does not decide it. */
	readonly same: boolean | undefined;
}

const lesson = (id: string, unit: string) =>
	prose`${fact(`reference/lesson-${id}`, REFERENCES.get(`lesson-${id}`)?.value ?? Number.NaN, unit)}`;

const MODEL = "gbt";

function statements(context: Context): Statement[] {
	const rate = context.quietRateOf(MODEL);
	const free = mainBatched(context, MODEL);
	if (rate === undefined || free === undefined) return [];
	const kept = (setting: string) => context.value(`sweep/${MODEL}/${setting}/highestKept`);
	const [none, batched] = [kept("none"), kept(free)];
	const highest = context.ratesOf(MODEL).at(-1) ?? 0;
	const sizes = context.value(`bits/${MODEL}/sizesThatDiffer`);
	const tail = `pair/${MODEL}/${free}~none/x${rate}/p99Ms`;
	const wait = `pair/${MODEL}/b32w2~none/x${rate}/p50Ms`;
	const is = (key: string, wanted: "faster" | "slower") => {
		const outcome = outcomeOf(context, key);
		return outcome === undefined || outcome === "undecided" ? undefined : outcome === wanted;
	};
	return [
		{
			says: "One by one, the service falls behind near S.",
			lesson: `${code("none")} kept up to ${lesson("141", "× S")} and fell behind at S`,
			here: keptWords(context, MODEL, "none"),
			same: none === undefined || highest < 1 ? undefined : none < highest,
		},
		{
			says: `With ${code(free)} it keeps up with far more traffic.`,
			lesson: prose`${code("b32w0")} kept up at every rate tried, the highest ${fact("rule/lessonHighestRate", 2.5, "× S")}`,
			here: keptWords(context, MODEL, free),
			// Where both kept up everywhere, nobody knows which of them goes further.
			same: none === undefined || batched === undefined || none === highest ? undefined : batched > none,
		},
		{
			says: "Even where it is quiet, the slowest requests gain.",
			lesson: `p99 ${lesson("015", "ms")} with ${code("none")}, ${lesson("016", "ms")} with ${code("b32w0")}`,
			here: `p99 of ${code(free)} minus that of ${code("none")}: ${changeWords(context, tail)}`,
			same: is(tail, "faster"),
		},
		{
			says: "A timed wait makes the typical request slower there.",
			lesson: prose`${fact("reference/lesson-017~018", 3.11 - 1.18, "ms", "1.93")} with ${code("W = 2")}`,
			here: changeWords(context, wait),
			same: is(wait, "slower"),
		},
		{
			says: "Company changes no score, to the bit.",
			lesson: `${lesson("084", "rows")} changed`,
			here: `${context.show(`bits/${MODEL}/worstDifferingRows`, "rows")} changed`,
			same: sizes === undefined ? undefined : sizes === 0,
		},
	];
}

/** Is the lesson's story told here too? For the lesson's own kind of model only: the other one it did not have. */
export function sameStory(context: Context): Section | null {
	const all = statements(context);
	if (all.length === 0) return null;
	const words = (same: boolean | undefined) => (same === undefined ? "undecided" : same ? "yes" : "**no**");
	const rows = all.map(({ says, lesson: there, here, same }) => [says, there, here, words(same)]);
	const count = (wanted: boolean | undefined) => countWord(all.filter(({ same }) => same === wanted).length);
	const none = all.every(({ same }) => same !== false);
	const verdict = none
		? `No point speaks against it: the same story in ${count(true)} of ${countWord(all.length)} points, ${count(undefined)} undecided.`
		: `The same story in ${count(true)} of ${countWord(all.length)} points, another one in ${count(false)}, ${count(undefined)} undecided.`;
	const s = `The lesson's S was ${context.lesson(`saturation/${MODEL}/none/answersPerSecond`)} answers a second, here it is ${context.show(`saturation/${MODEL}/none/answersPerSecond`)}: another machine, and another language. So the sizes differ, and what can be compared is the story.`;
	const latencies = besideLesson(context, MODEL);
	const beside = latencies === "" ? "" : `\n\nThe latencies that both have:\n\n${latencies}`;
	return {
		id: "same-story",
		title: "Beside the lesson",
		markdown: `${s}\n\n${table([["the lesson's story", "the lesson", `here, ${code(MODEL)}`, "the same?"], ...rows])}\n\n${verdict}${beside}`,
		addedLater: false,
	};
}

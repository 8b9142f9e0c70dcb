import { CodedError } from "../../base/index.js";
import type { Report } from "../../report/index.js";
import { busGame } from "../game.js";
import { batchByHand } from "../hand.js";
import { guessesRight } from "../results.js";
import { saturated, sOf } from "../saturation.js";
import { differences, highestKept } from "../sweep.js";
import { aloneOf, bitsOf, callUs, notMeasured, over, perRound, type Source } from "../values.js";
import { type Check, checker, type Exercise, type Grade, grade } from "./check.js";

export type { Check, Grade } from "./check.js";

/** What the exercises of notebook 06 need besides the record. */
export interface ExerciseFacts {
	readonly report?: Report;
}

const byHand = () => batchByHand({ maxBatchSize: 4, maxWaitMs: 3, modelMs: 2, arrivalsMs: [0, 1, 2, 6] });

function exercisesOf(source: Source, { report }: ExerciseFacts): Readonly<Record<string, readonly Exercise[]>> {
	const exact = { tolerance: 0 };
	const near = { tolerance: 0.05 };
	return {
		"00": [
			{
				...exact,
				expected: async () => (await busGame({ seats: 1, waitMinutes: 0 })).trips.length,
				hint: "Set `seats` to one and the wait to nothing, and run the game again.",
				because: "With one seat everybody travels alone.",
			},
			{
				...exact,
				expected: async () => (await busGame({ seats: 12, waitMinutes: 60 })).trips[0]?.passengers ?? 0,
				hint: "The bus leaves when it is full, if that comes before the end of the wait.",
				because: "The last of the twelve comes long before the wait is over, so the bus leaves full.",
			},
		],
		"01": [
			{
				...near,
				expected: () => callUs(aloneOf(source, "gbt"), 32) / 32,
				hint: "Hover over the chart at the size in question, or divide the time of that call by its rows.",
				because: "That is the cost of a row in company.",
			},
			{
				...near,
				expected: () => callUs(aloneOf(source, "ft"), 32) / callUs(aloneOf(source, "ft"), 1),
				hint: "Divide the time of the large call by the time of the small one.",
				because: "If it is far below the number of rows, the bus saves work.",
			},
		],
		"02": [
			{
				...exact,
				expected: () => bitsOf(source, "gbt").sizes.filter(({ differingRows }) => differingRows > 0).length,
				hint: "Look at the bars of `gbt`: at how many sizes is there one?",
				because: "Each size has to be looked at by itself; one that agrees says nothing about the next.",
			},
			{
				...exact,
				expected: () => worstSize(source, "ft"),
				hint: "Look for the tallest bar of `ft`.",
				because: "The order of adding depends on the size of the batch.",
			},
		],
		"03": [
			{
				...near,
				expected: () => 1e6 / sOf(source, "gbt"),
				hint: "Divide a million by S.",
				because: "At saturation the core works without a pause, so its whole second goes into S answers.",
			},
			{
				...near,
				expected: () => timesS(source, "ft", "b32w0"),
				hint: "Divide the saturation of the setting by S.",
				because: "So much more can the batched service answer before it falls behind.",
			},
		],
		"04": [
			{
				...exact,
				expected: async () => (await byHand()).batches[0]?.leavesMs ?? Number.NaN,
				hint: "Is the batch full before its first row has waited W?",
				because: "Three rows are on board and the fourth is far away; the wait of the first row decides.",
			},
			{
				...exact,
				expected: async () => (await byHand()).answeredMs[3] ?? Number.NaN,
				hint: "When does that row's own wait end, and how long does the model take?",
				because: "It waits alone for its whole W, then the model works.",
			},
		],
		"05": [
			{
				...exact,
				expected: () => highestKept(source, "ft", "none"),
				hint: "In the table of `ft`, find the last rate in the row of `none` that is not marked unstable.",
				because: "Beyond it the queue grows for as long as the traffic lasts.",
			},
			{
				...exact,
				expected: () => roundsAbove(source),
				hint: "Count the dots of `b32w2` above the zero line in the chart of the price of a wait.",
				because: "Each dot is one round on the same arrivals.",
			},
		],
		"06": [
			{
				...near,
				expected: () => p50At(source, "ft", "b32w0", 0.5),
				hint: "Choose the setting and the rate in the box, and read the p50.",
				because: "The box shows what was measured and nothing else.",
			},
			{
				...exact,
				expected: () => guessesRight(report),
				hint: "Count the rows marked right in the table of guesses.",
				because: "A guess that turns out wrong teaches more than one that does not.",
			},
		],
	};
}

function worstSize(source: Source, model: string): number {
	const worst = bitsOf(source, model).sizes.reduce((a, b) => (b.differingRows > a.differingRows ? b : a));
	return worst.differingRows === 0 ? 0 : worst.size;
}

function timesS(source: Source, model: string, setting: string): number {
	const found = saturated(source, model).find((one) => one.setting === setting);
	if (found === undefined) throw notMeasured(`the saturation of ${setting} with ${model}`, "run.saturation");
	return found.answersPerSecond / sOf(source, model);
}

function roundsAbove(source: Source): number {
	const diffs = differences(source, "gbt", "b32w2", "none", 0.5, "p50Ms");
	if (diffs.length === 0) throw notMeasured("b32w2 at half of S", "run.sweep");
	return diffs.filter((difference) => difference > 0).length;
}

function p50At(source: Source, model: string, setting: string, rateMultiple: number): number {
	const rounds = perRound(source, { kind: "open", model, setting, role: "setting", rateMultiple }, "p50Ms");
	const found = over(rounds);
	if (found === undefined) throw notMeasured(`${setting} with ${model} at this rate`, "run.sweep");
	return found;
}

function exercisesFor(source: Source, notebook: string, facts: ExerciseFacts): readonly Exercise[] {
	const all = exercisesOf(source, facts);
	const own = all[notebook];
	if (own !== undefined) return own;
	throw new CodedError(
		"UNKNOWN_NOTEBOOK",
		`no exercises for notebook "${notebook}"; there are ${Object.keys(all).sort().join(", ")}`,
	);
}

/** `check(n, answer)` for a notebook, by its number. @throws {CodedError} `UNKNOWN_NOTEBOOK` */
export function exercises(source: Source, notebook: string, facts: ExerciseFacts = {}): Check {
	return checker(notebook, exercisesFor(source, notebook, facts));
}

/** The same without showing it. @throws {CodedError} `UNKNOWN_NOTEBOOK`, and as `check` */
export function gradeExercise(
	source: Source,
	notebook: string,
	question: number,
	answer: number | undefined,
	facts: ExerciseFacts = {},
): Promise<Grade> {
	return grade(notebook, exercisesFor(source, notebook, facts), question, answer);
}

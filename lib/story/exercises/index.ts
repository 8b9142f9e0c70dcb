import { CodedError } from "../../base/index.js";
import type { Report } from "../../report/index.js";
import { smallestP } from "../../stats/index.js";
import { noneAndBus } from "../gain.js";
import { busGame } from "../game.js";
import { batchByHand } from "../hand.js";
import { queuesSeen } from "../queue.js";
import { sOf } from "../saturation.js";
import { aloneOf, bitsOf, callUs, notMeasured, type Source } from "../values.js";
import { type Check, checker, type Exercise, type Grade, grade } from "./check.js";
import { reportExercises } from "./report.js";

export type { Check, Grade } from "./check.js";

/** What the exercises of notebook 06 need besides the record. */
export interface ExerciseFacts {
	readonly report?: Report;
}

const byHand = () => batchByHand({ maxBatchSize: 4, maxWaitMs: 3, modelMs: 8, arrivalsMs: [0, 1, 2, 6] });

function exercisesOf(source: Source, { report }: ExerciseFacts): Readonly<Record<string, readonly Exercise[]>> {
	const exact = { tolerance: 0 };
	const near = { tolerance: 0.05 };
	return {
		"00": [
			{
				...exact,
				expected: async () => (await busGame({ seats: 2, waitMinutes: 3 })).trips.length,
				hint: "Set `seats` to two and the wait to three minutes, and run the game again.",
				because: "As many as with four seats: seats that nobody sits in save no trip.",
			},
			{
				...exact,
				expected: async () => (await busGame({ seats: 12, waitMinutes: 60 })).trips[0]?.passengers ?? 0,
				hint: "The bus leaves when it is full, if that comes before the end of the wait. When does the last person come?",
				because: "The last of the twelve comes long before the wait is over, so the bus leaves full.",
			},
		],
		"01": [
			{
				...near,
				expected: () => callUs(aloneOf(source, "gbt"), 32) / 32,
				hint: "Look the call with thirty-two rows up in the table of calls, and divide its time by its rows.",
				because: "That is the cost of a row in company.",
			},
			{
				...near,
				expected: () => callUs(aloneOf(source, "ft"), 32) / callUs(aloneOf(source, "ft"), 1),
				hint: "Look both calls up in the table of calls, and divide the long time by the short one.",
				because:
					"In that time the bus scores thirty-two rows. The further your number lies below thirty-two, the more work it saves.",
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
				...near,
				expected: () => changedOfAMillion(source, "ft"),
				hint: "The cell about `ft` says how many of how many rows changed in batches of two. What is that share of a million?",
				because: "A share that looks small can be a crowd. Whether it is too many depends on what the scores are for.",
			},
		],
		"03": [
			{
				...exact,
				expected: () => Math.ceil(20_000 / sOf(source, "gbt")),
				hint: "How many answers a second does one core give? How many such cores are needed before it is enough?",
				because:
					"Half a core cannot be bought, so the number is rounded up. Nobody should plan without any room, either.",
			},
			{
				...near,
				expected: () => savedBesidesModel(source, "ft"),
				hint: "Add what is saved in the row of the rest of the service and in the row of the client.",
				because: "So much of the gain nobody would have guessed who looked at the model alone.",
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
				hint: "When does that row's own wait end? Is the model free then?",
				because:
					"Its wait is over long before the model is back from the first batch, and then its own call takes time.",
			},
		],
		"05": [
			{
				...near,
				expected: () => waitingAfterAMinute(source, "ft"),
				hint: "The sentence under the picture of the queue says how many were waiting at the end, and after how many seconds that was. How many seconds has a minute?",
				because: "A queue that grows has no latency of its own: it depends on how long you watch.",
			},
			{
				...exact,
				expected: () => 100 * smallestP(4),
				hint: "Write down the sixteen ways in which four coins can fall. In how many of them are all four alike?",
				because: "Two of sixteen. So even four rounds that all agree are no proof.",
			},
		],
		"06": reportExercises(report),
	};
}

function changedOfAMillion(source: Source, model: string): number {
	const { rows, sizes } = bitsOf(source, model);
	const pairs = sizes.find(({ size }) => size === 2);
	if (pairs === undefined) throw notMeasured(`batches of two rows of ${model}`, "run.bitCheck");
	return (1e6 * pairs.differingRows) / rows;
}

function savedBesidesModel(source: Source, model: string): number {
	const { none, bus } = noneAndBus(source, model);
	return none.restUs - bus.restUs + none.clientUs - bus.clientUs;
}

function waitingAfterAMinute(source: Source, model: string): number {
	const [none] = queuesSeen(source, model, ["none"]);
	if (none === undefined) throw notMeasured(`the queue of none with ${model}`, "run.sweep");
	return (60 * none.waitingAtEnd) / none.run.seconds;
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

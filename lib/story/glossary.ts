import { table, tell } from "./tell.js";

/** Words of the workbook in the order in which a reader meets them; the text has no numbers of a run. */
const WORDS: readonly (readonly [string, string])[] = [
	["the lesson", "the published experiment, in Python, that this workbook rebuilds"],
	["model", "a formula, usually learned from old data, that turns a few numbers into one score"],
	["row", "the numbers that describe one customer; what one request brings to the model"],
	["batch, batch size", "rows that one model call scores together, and how many they are"],
	["B, `maxBatchSize`", "the cap: the most rows a batch may hold"],
	[
		"W, `maxWaitMs`",
		"how long the first row of a batch is held back for others, if the batch does not fill before; if the model is still busy then, the row waits longer",
	],
	["request, answer", "what a client sends to the service, and what comes back"],
	["client, service", "the program that asks, and the program that answers"],
	["throughput", "answers a second"],
	["latency", "from the moment a request was due to arrive to its answer"],
	["setting", "a way of running the service, with a short name"],
	["`none`", "no batching: one by one, a model call for every row"],
	["`b32w0`", "at most thirty-two rows a batch and no timed wait: as soon as the model is back"],
	[
		"`b32w2`",
		"at most thirty-two rows, and the first of them is held back for two milliseconds if the batch does not fill before",
	],
	["`b1w0`", "a batcher with one seat: what the batcher itself costs"],
	["`none again`", "`none` measured a second time, to see how far two measurements of the same thing lie apart"],
	["control", "a setting without a model, to see what has nothing to do with the model"],
	["`nomodel`, `nomodel-deferred`", "controls that answer at once, and in a later turn of the event loop"],
	["core, core time", "a part of the processor that runs one program at a time, and how long it was busy"],
	["profile", "how long the workbook may measure: `smoke`, `quick`, `standard`, `full`"],
	["process", "a program that is running"],
	["average precision", "how well a model puts the buyers at the top of a list; one is perfect"],
	["fixed cost", "the part of a call's time that is the same for one row and for many"],
	["plateau", "the first batch size at which doubling saves less than a tenth per row"],
	["median, p50", "the value in the middle: half are smaller, half are larger"],
	["percentile, p99", "the latency that ninety-nine of a hundred requests do not exceed"],
	["bit", "a zero or a one; a score is thirty-two of them, and two scores are equal if all agree"],
	["saturation", "the most answers a second that a setting can give"],
	["S", "the saturation of `none`; the rates of arrivals are multiples of it"],
	["closed loop", "a fixed number of clients, each of which waits for its answer before it asks again"],
	["open loop", "requests sent on a clock of their own, whether or not earlier ones have been answered"],
	["micro-batcher", "the part of the service that gathers rows and decides when a batch leaves"],
	[
		"flush reason",
		"why a batch left: `full` (every seat is taken), `timer` (its first row has waited W), `idle` (the model is free, and nothing waits on purpose)",
	],
	["event loop", "how Node works: one thing at a time, round and round"],
	["microtask", "work put off only until the present piece of code has ended, before any connection is read"],
	["handler", "the code of the service that takes one request and answers it"],
	["Poisson arrivals", "random moments with a steady average rate"],
	[
		"lateness, LATE",
		"how much later than due a request was sent; a run marked LATE had a client that waited long for its core",
	],
	["keeps up", "gives at least ninety-five answers for every hundred requests that arrive, as they arrive"],
	[
		"unstable",
		"the service did not keep up, or its queue still grew at the end: the longer one watches, the larger the latency",
	],
	["round, run", "all settings at all rates once; and one of those measurements"],
	["told apart", "all of at least five rounds agree which of two settings is smaller"],
	["quiet check", "was the core idle before a run?"],
	[
		"canary",
		"a fixed piece of work, timed before and after a run: if it took longer, the machine has changed its speed",
	],
	["drifted", "the canary says that the machine changed its speed during the run"],
	["steal", "time that a rented machine's owner gave to other customers"],
	["INVALID", "the mark of a run whose numbers are not used, with the reason beside it"],
	["record", "the file with everything that was measured"],
];

/** Shows every word with its meaning. */
export function glossary(): void {
	tell(table([["word", "meaning"], ...WORDS.map(([word, meaning]) => [`**${word}**`, meaning])]));
}

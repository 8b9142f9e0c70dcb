import { table, tell } from "./tell.js";

/** Words of the workbook in the order in which a reader meets them; the text has no numbers of a run. */
const WORDS: readonly (readonly [string, string])[] = [
	["model", "a formula learned from old data that turns a few numbers into one score"],
	["row", "the numbers that describe one customer; what one request brings to the model"],
	["request, answer", "what a client sends to the service, and what comes back"],
	["batch, batch size", "rows that one model call scores together, and how many they are"],
	["per-call time, per-row time", "how long one call takes, and that time divided by its rows"],
	["fixed cost", "the part of a call's time that is the same for one row and for many"],
	["micro-batcher", "the part of the service that gathers rows and decides when a batch leaves"],
	["B, `maxBatchSize`", "the most rows a batch may hold"],
	["W, `maxWaitMs`", "the longest the first row of a batch waits for others"],
	["flush, flush reason", "a batch leaving, and why: `full`, `timer`, `idle`, `deadline`, `drain`"],
	["setting", "a way of running the service: `none`, or `b32w2` for B and W"],
	["control", "a setting without a model, to see what has nothing to do with the model"],
	["throughput", "answers a second"],
	["latency", "from the scheduled arrival of a request to its answer"],
	["median, p50", "the value in the middle: half are smaller, half are larger"],
	["percentile, p99", "the latency that ninety-nine of a hundred requests do not exceed"],
	["average precision", "how well a model puts the buyers at the top of a list; one is perfect"],
	["bit", "a zero or a one; a score is thirty-two of them, and two scores are equal if all agree"],
	["event loop", "how Node works: one thing at a time, round and round"],
	["promise", "a value that will be there later"],
	["microtask", "work put off only until the present piece of code has ended, before any connection is read"],
	["closed loop", "a fixed number of clients, each of which waits for its answer before it asks again"],
	["open loop", "requests sent on a clock of their own, whether or not earlier ones have been answered"],
	["Poisson arrivals", "random moments with a steady average rate"],
	["scheduled arrival, lateness", "when a request was meant to be sent, and how much later it was sent"],
	["S", "the most the service answers in a second with `none`"],
	["keeps up", "answers at least nineteen in twenty as fast as requests arrive"],
	["round, run", "all settings at all rates once; and one of those measurements"],
	["told apart", "all of at least five rounds agree which of two settings is smaller"],
	[
		"quiet check, canary",
		"was the core idle before a run, and did a fixed piece of work take as long after it as before",
	],
	["record", "the file with everything that was measured"],
];

export function glossary(): void {
	tell(table([["word", "meaning"], ...WORDS.map(([word, meaning]) => [`**${word}**`, meaning])]));
}

import { type FinishedRun, FLUSH_REASONS, OUTCOMES } from "../../record/index.js";
import {
	clumps,
	inSystemAt,
	littlesLaw,
	percentile,
	queueTrend,
	slowMoments,
	sortSamples,
	speedOverRun,
} from "../../stats/index.js";
import { dialsOf } from "../cells.js";
import { type Numbers, NumberTable, PERCENTS } from "../numbers.js";
import type { RawRun } from "../source.js";

const ANSWERED = OUTCOMES.indexOf("answered");
const UNFILLED = new Set([FLUSH_REASONS.indexOf("timer"), FLUSH_REASONS.indexOf("idle")]);
const TIMER = FLUSH_REASONS.indexOf("timer");

/** Latencies of the answered requests in scheduled order, ns; NaN for the others. */
export function latenciesOf({ scheduledNs, receivedNs, outcome }: RawRun["requests"]): Float64Array {
	return scheduledNs.map((due, i) => (outcome[i] === ANSWERED ? (receivedNs[i] ?? Number.NaN) - due : Number.NaN));
}

function middle(values: Float64Array): number | null {
	return percentile(sortSamples(values), 50);
}

function batchNumbers(table: NumberTable, setting: string, { batches }: RawRun): void {
	const { size, reason, waitNs, modelNs } = batches;
	if (size.length === 0) return;
	const rows = size.reduce((sum, value) => sum + value, 0);
	table.put("batches", size.length);
	table.put("meanBatch", rows / size.length);
	table.put("modelUsPerRow", modelNs.reduce((sum, value) => sum + value, 0) / rows / 1000);
	FLUSH_REASONS.forEach((name, index) => {
		const left = reason.reduce((count, value) => count + Number(value === index), 0);
		if (left > 0) table.put(`${name}Percent`, (100 * left) / size.length);
	});
	const askedNs = dialsOf(setting).maxWaitMs * 1e6;
	const unfilled = waitNs.filter((_, i) => UNFILLED.has(reason[i] ?? -1));
	if (unfilled.length > 0) table.put("realWaitMs", (middle(unfilled) ?? Number.NaN) / 1e6);
	const timed = waitNs.filter((_, i) => reason[i] === TIMER);
	if (timed.length > 0) {
		const early = timed.reduce((count, wait) => count + Number(wait < askedNs), 0);
		table.put("earlyPercent", (100 * early) / timed.length);
	}
}

function stageNumbers(table: NumberTable, { stamps, requests }: RawRun): void {
	if (stamps === undefined) return;
	const { handlerStartNs, rowReadyNs, scoreBackNs, replyWrittenNs } = stamps;
	const between = (to: Float64Array, from: Float64Array) =>
		(middle(to.map((at, i) => at - (from[i] ?? 0))) ?? Number.NaN) / 1000;
	table.put("beforeModelUs", between(rowReadyNs, handlerStartNs));
	table.put("modelAndWaitUs", between(scoreBackNs, rowReadyNs));
	table.put("afterModelUs", between(replyWrittenNs, scoreBackNs));
	// Stamps stand in the order of the answers, requests in that of their arrivals: only means can be subtracted.
	const due = requests.scheduledNs.filter((_, i) => requests.outcome[i] === ANSWERED);
	if (due.length !== handlerStartNs.length || due.length === 0) return;
	const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
	table.put("beforeHandlerMeanUs", (mean(handlerStartNs) - mean(due)) / 1000);
	table.put("insideHandlerMeanUs", (mean(replyWrittenNs) - mean(handlerStartNs)) / 1000);
}

function openNumbers(table: NumberTable, run: FinishedRun, { requests }: RawRun): void {
	const latencyNs = latenciesOf(requests);
	const answeredAtNs = requests.receivedNs.map((at, i) => (requests.outcome[i] === ANSWERED ? at : Number.NaN));
	const traffic = { scheduledNs: requests.scheduledNs, receivedNs: answeredAtNs, horizonNs: run.seconds * 1e9 };
	table.put("offeredPerSecond", requests.scheduledNs.length / run.seconds);
	table.put("growing", Number(queueTrend(traffic).growing));
	const lateness = requests.sentNs
		.map((at, i) => at - (requests.scheduledNs[i] ?? 0))
		.filter((ns) => !Number.isNaN(ns));
	table.put("latenessP99Ms", (percentile(sortSamples(lateness), 99) ?? Number.NaN) / 1e6);
	const answered = latencyNs.filter((ns) => !Number.isNaN(ns));
	if (answered.length === 0) return;
	const { all, slowest } = clumps(requests.scheduledNs, latencyNs);
	table.put("clumpAll", all);
	table.put("clumpSlowest", slowest);
	const slow = slowMoments(requests.scheduledNs, latencyNs);
	table.put("slowestCount", slow.count);
	table.put("slowestMoments", slow.moments);
	const { firstPerSecond, lastPerSecond, waitingAtEnd } = speedOverRun(traffic);
	table.put("firstFifthPerSecond", firstPerSecond);
	table.put("lastFifthPerSecond", lastPerSecond);
	table.put("waitingAtEnd", waitingAtEnd);
	// Little's law goes by averages; the queue is also counted at 1,000 moments, and the two must meet in a quiet queue.
	const meanMs = answered.reduce((sum, ns) => sum + ns, 0) / answered.length / 1e6;
	table.put("meanMs", meanMs);
	table.put("insideByLaw", littlesLaw(requests.scheduledNs.length / run.seconds, meanMs));
	const moments = Array.from({ length: 1000 }, (_, i) => ((i + 0.5) * run.seconds * 1e9) / 1000);
	table.put("insideCounted", inSystemAt(traffic, moments).reduce((sum, count) => sum + count, 0) / moments.length);
}

/**
 * The numbers of one run: the lab's own arithmetic, as it wrote it down when the run ended, and what needs more than
 * that by `batching-lab/stats`. The second computation shares no code with either.
 */
export function firstNumbersOf(run: FinishedRun, raw: RawRun): Numbers {
	const table = new NumberTable();
	const latencies = sortSamples(latenciesOf(raw.requests).filter((ns) => !Number.isNaN(ns)));
	for (const [name, percent] of PERCENTS) {
		const ns = percentile(latencies, percent);
		table.put(name, ns === null ? null : ns / 1e6);
	}
	table.put("scheduled", run.counts.scheduled);
	table.put("answered", run.counts.answered);
	table.put("failed", run.counts.failed);
	table.put("timedOut", run.counts.timedOut);
	table.put("unsent", run.counts.unsent);
	table.put("differing", run.differing);
	table.put("maxUlp", run.maxUlp);
	table.put(
		"inBatches",
		raw.requests.batchSize.filter((size, i) => size > 1 && raw.requests.outcome[i] === ANSWERED).length,
	);
	batchNumbers(table, run.setting, raw);
	stageNumbers(table, raw);
	if (run.kind === "open") openNumbers(table, run, raw);
	// Last, so that what the lab wrote down is what is checked wherever it wrote something down.
	for (const [name, value] of Object.entries(run.summary)) table.put(name, value === null ? null : Number(value));
	return table.numbers;
}

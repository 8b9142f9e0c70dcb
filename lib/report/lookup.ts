import { runInNewContext } from "node:vm";
import { CodedError } from "../base/index.js";
import { cellsOf, dialsOf } from "./cells.js";
import type { Report } from "./report.js";
import { batchKey } from "./sections/batches.js";
import { keyOf } from "./sections/context.js";

/** One measured point, as the box shows it. */
export interface LookupEntry {
	readonly model: string;
	readonly setting: string;
	/** 1 and 0 for `none`. */
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
	readonly rateMultiple: number;
	readonly ratePerSecond: number;
	readonly p50Ms: number | null;
	readonly p99Ms: number | null;
	readonly answeredPerSecond: number | null;
	readonly meanBatch: number | null;
	readonly keptUpRounds: number;
	readonly rounds: number;
	readonly stable: boolean;
}

export interface LookupQuestion {
	readonly model: string;
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
	readonly rateMultiple: number;
}

/** Everything that can be looked up in a report: one entry a model, setting and rate, controls left out. */
export function lookupEntries(report: Report): LookupEntry[] {
	return cellsOf(report.facts.runs).flatMap((cell) => {
		const { model, setting, rateMultiple } = cell;
		const batched = /^b\d/.test(setting);
		if (setting !== "none" && !batched) return [];
		const value = (name: string) => report.numbers.get(`${keyOf(cell)}/${name}`);
		const { maxBatchSize, maxWaitMs } = dialsOf(setting);
		const [keptUpRounds, rounds] = [value("keptUpRounds") ?? 0, value("rounds") ?? 0];
		return [
			{
				model,
				setting,
				maxBatchSize,
				maxWaitMs,
				rateMultiple,
				ratePerSecond: value("ratePerSecond") ?? 0,
				p50Ms: value("p50Ms") ?? null,
				p99Ms: value("p99Ms") ?? null,
				answeredPerSecond: value("answeredPerSecond") ?? null,
				meanBatch: report.numbers.get(`${batchKey(cell)}/meanBatch`) ?? null,
				keptUpRounds,
				rounds,
				stable: keptUpRounds === rounds && value("growingRounds") === 0,
			},
		];
	});
}

/**
 * Finds a point and writes it as lines, `none` at the same rate first. Plain JavaScript as text, because the very same
 * function runs in the page; here it runs in an empty context that has no clock and no model to ask.
 */
export const LOOKUP_FUNCTION = `function lookUp(entries, question) {
	const list = (items) => [...new Set(items)].sort((a, b) => a - b).join(", ");
	const of = entries.filter((entry) => entry.model === question.model);
	if (of.length === 0) return { found: false, lines: ["There is no model " + question.model + " here; there are " + [...new Set(entries.map((entry) => entry.model))].join(", ") + "."] };
	const at = of.filter((entry) => entry.rateMultiple === question.rateMultiple);
	if (at.length === 0) return { found: false, lines: ["Rate " + question.rateMultiple + " S was not run with " + question.model + "; there are " + list(of.map((entry) => entry.rateMultiple)) + "."] };
	const round = (value) => (value === null ? "too few samples" : Number(value.toPrecision(value >= 1000 ? 4 : 3)).toString());
	const say = (entry) => entry.setting + " at " + entry.rateMultiple + " S (" + Math.round(entry.ratePerSecond) + " requests a second): p50 " + round(entry.p50Ms) + (entry.p50Ms === null ? "" : " ms") + ", p99 " + round(entry.p99Ms) + (entry.p99Ms === null ? "" : " ms") + ", " + Math.round(entry.answeredPerSecond) + " answers a second, " + (entry.meanBatch === null ? "" : round(entry.meanBatch) + " rows a batch, ") + "kept up in " + entry.keptUpRounds + " of " + entry.rounds + (entry.stable ? "" : " - the queue grows, so these latencies are no stable numbers");
	const none = at.find((entry) => entry.setting === "none");
	const lines = none === undefined ? [] : [say(none)];
	const batched = at.filter((entry) => entry.setting !== "none");
	const hit = batched.find((entry) => entry.maxBatchSize === question.maxBatchSize && entry.maxWaitMs === question.maxWaitMs);
	if (hit !== undefined) return { found: true, lines: [...lines, say(hit)] };
	const pairs = batched.map((entry) => "B " + entry.maxBatchSize + " with W " + entry.maxWaitMs).join("; ");
	return { found: false, lines: [...lines, "B " + question.maxBatchSize + " with W " + question.maxWaitMs + " ms was not run at that rate; there are " + (pairs === "" ? "no batched settings" : pairs) + "."] };
}`;

export interface LookupAnswer {
	readonly found: boolean;
	readonly lines: readonly string[];
}

function isAnswer(value: unknown): value is LookupAnswer {
	return typeof value === "object" && value !== null && "found" in value && "lines" in value;
}

/** Looks one point up. The lines say what was measured, or what there is instead. */
export function lookUp(entries: readonly LookupEntry[], question: LookupQuestion): LookupAnswer {
	const text: unknown = runInNewContext(
		`JSON.stringify((${LOOKUP_FUNCTION})(${JSON.stringify(entries)}, ${JSON.stringify(question)}))`,
	);
	const answer: unknown = JSON.parse(String(text));
	if (!isAnswer(answer)) throw new CodedError("LOOKUP_FAILED", "the look-up gave no answer", { exitCode: 1 });
	return answer;
}

import type { FinishedRun } from "../../record/index.js";
import type { NumberTable } from "../numbers.js";
import type { RawRun } from "../source.js";
import { ascending, valueAt } from "./arithmetic.js";

const REASON = { full: 0, timer: 1, idle: 2, deadline: 3, drain: 4 };

/** Sizes, reasons and waits of a run's batches. */
export function batches(table: NumberTable, run: FinishedRun, raw: RawRun): void {
	const { size, reason, waitNs, modelNs } = raw.batches;
	if (size.length === 0) return;
	let rows = 0;
	let model = 0;
	const left = new Map<number, number>();
	const waits: number[] = [];
	let timed = 0;
	let early = 0;
	const asked = Number(/w([\d.]+)$/.exec(run.setting)?.[1] ?? 0) * 1e6;
	for (let i = 0; i < size.length; i++) {
		rows += size[i] ?? 0;
		model += modelNs[i] ?? 0;
		const why = reason[i] ?? -1;
		left.set(why, (left.get(why) ?? 0) + 1);
		const wait = waitNs[i] ?? Number.NaN;
		if (why === REASON.timer || why === REASON.idle) waits.push(wait);
		if (why === REASON.timer) {
			timed++;
			if (wait < asked) early++;
		}
	}
	table.put("batches", size.length);
	table.put("meanBatch", rows / size.length);
	table.put("modelUsPerRow", model / 1000 / rows);
	for (const [name, code] of Object.entries(REASON)) {
		const count = left.get(code);
		if (count !== undefined) table.put(`${name}Percent`, (count / size.length) * 100);
	}
	const wait = valueAt(ascending(waits), 50);
	if (wait !== undefined) table.put("realWaitMs", wait / 1e6);
	if (timed > 0) table.put("earlyPercent", (early / timed) * 100);
}

/** Medians of the stages inside the handler. */
export function stages(table: NumberTable, { stamps, requests }: RawRun): void {
	if (stamps === undefined) return;
	const steps = [
		["beforeModelUs", stamps.handlerStartNs, stamps.rowReadyNs],
		["modelAndWaitUs", stamps.rowReadyNs, stamps.scoreBackNs],
		["afterModelUs", stamps.scoreBackNs, stamps.replyWrittenNs],
	] as const;
	for (const [name, from, to] of steps) {
		const lengths: number[] = [];
		for (let i = 0; i < from.length; i++) lengths.push((to[i] ?? Number.NaN) - (from[i] ?? Number.NaN));
		const value = valueAt(ascending(lengths), 50);
		if (value !== undefined) table.put(name, value / 1000);
	}
	let [answered, due, began, ended] = [0, 0, 0, 0];
	for (let i = 0; i < requests.outcome.length; i++) {
		if (requests.outcome[i] !== 0) continue;
		answered++;
		due += requests.scheduledNs[i] ?? Number.NaN;
	}
	if (answered === 0 || answered !== stamps.handlerStartNs.length) return;
	for (let i = 0; i < answered; i++) {
		began += stamps.handlerStartNs[i] ?? Number.NaN;
		ended += stamps.replyWrittenNs[i] ?? Number.NaN;
	}
	table.put("beforeHandlerMeanUs", (began - due) / answered / 1000);
	table.put("insideHandlerMeanUs", (ended - began) / answered / 1000);
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { keepsUp, latencyByRateChart, type Source } from "batching-lab/story";
import { newRun, result } from "../record/fixture.js";
import { emptyRecord, heard } from "./record.js";
import { read } from "./words.js";

/** A run of `none` with a request a millisecond for two seconds, each answered after what `latencyMs` says. */
function slowing(t: { after(action: () => void): void }, latencyMs: (dueMs: number) => number): Source {
	const { record, startId } = emptyRecord(t);
	const count = 2000;
	const scheduledNs = Float64Array.from({ length: count }, (_, i) => i * 1e6);
	const requests = {
		scheduledNs,
		sentNs: scheduledNs,
		receivedNs: scheduledNs.map((due) => due + latencyMs(due / 1e6) * 1e6),
		status: new Uint16Array(count).fill(200),
		outcome: new Uint8Array(count),
		scoreBits: new Uint32Array(count),
		batchId: new Uint32Array(count),
		batchSize: new Uint16Array(count).fill(1),
		bodyIndex: new Uint32Array(count),
	};
	const batches = {
		batchId: new Uint32Array(0),
		size: new Uint16Array(0),
		reason: new Uint8Array(0),
		firstSubmitNs: new Float64Array(0),
		waitNs: new Float64Array(0),
		modelNs: new Float64Array(0),
	};
	const run = newRun(startId, { setting: "none", rateMultiple: 1, seconds: 2 });
	const counts = { scheduled: count, answered: count, failed: 0, timedOut: 0, unsent: 0 };
	const figures = result({ counts, summary: { answeredPerSecond: 970, keepsUp: true, p99Ms: 80 } });
	record.finishRun(record.beginRun(run).id, figures, { requests, batches });
	return { record };
}

test("a queue that grew by 4 % of the arrivals kept up by the rule, and its latency is called unstable all the same", (t) => {
	const source = slowing(t, (dueMs) => 1 + 0.04 * dueMs);
	assert.match(read(heard(() => keepsUp(source, "gbt"))), /80 ms, unstable: its queue still grew in 1 of 1/);
	assert.match(latencyByRateChart(source, "gbt", 99)?.alt ?? "", /80 ms at 1 S \(queue grows\)/);
});

test("a latency that is the same all the time is stable", (t) => {
	const source = slowing(t, () => 80);
	assert.doesNotMatch(read(heard(() => keepsUp(source, "gbt"))), /unstable/);
	assert.doesNotMatch(latencyByRateChart(source, "gbt", 99)?.alt ?? "", /queue grows/);
});

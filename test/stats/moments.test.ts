import assert from "node:assert/strict";
import { test } from "node:test";
import { slowMoments, speedOverRun } from "batching-lab/stats";

const ms = (values: readonly number[]) => Float64Array.from(values, (value) => value * 1e6);

/** 400 requests, one a millisecond, all answered after 1 ms but those named, after `slowMs`. */
function traffic(slow: readonly number[], slowMs = 30) {
	const due = Array.from({ length: 400 }, (_, i) => i);
	return { scheduledNs: ms(due), latencyNs: ms(due.map((at) => (slow.includes(at) ? slowMs : 1))) };
}

test("the slowest hundredth in one stretch is one moment; with more than 50 ms between them they are several", () => {
	const together = traffic([100, 101, 102, 103]);
	assert.deepEqual(slowMoments(together.scheduledNs, together.latencyNs), { count: 4, moments: 1 });
	const apart = traffic([10, 11, 150, 300]);
	assert.deepEqual(slowMoments(apart.scheduledNs, apart.latencyNs), { count: 4, moments: 3 });
	const edge = traffic([10, 60, 111, 112]);
	assert.deepEqual(slowMoments(edge.scheduledNs, edge.latencyNs), { count: 4, moments: 2 });
});

test("without an answer, or with all equally slow, there is no slow moment", () => {
	assert.deepEqual(slowMoments(ms([1, 2]), Float64Array.of(Number.NaN, Number.NaN)), { count: 0, moments: 0 });
	const alike = traffic([]);
	assert.deepEqual(slowMoments(alike.scheduledNs, alike.latencyNs), { count: 0, moments: 0 });
});

test("the speed at first and at last, and what was still owed when the arrivals ended", () => {
	const scheduledNs = ms(Array.from({ length: 100 }, (_, i) => i * 10));
	// one answer in the first fifth, sixteen in the last, the last ten requests after the end
	const receivedNs = ms(Array.from({ length: 100 }, (_, i) => (i === 0 ? 100 : i < 74 ? 500 : i < 90 ? 900 : 1200)));
	assert.deepEqual(speedOverRun({ scheduledNs, receivedNs, horizonNs: 1e9 }), {
		firstPerSecond: 5,
		lastPerSecond: 80,
		waitingAtEnd: 10,
	});
	const lost = Float64Array.from(receivedNs, (at, i) => (i === 99 ? Number.NaN : at));
	assert.equal(speedOverRun({ scheduledNs, receivedNs: lost, horizonNs: 1e9 }).waitingAtEnd, 10);
});

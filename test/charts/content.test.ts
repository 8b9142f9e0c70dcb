import assert from "node:assert/strict";
import { test } from "node:test";
import {
	batchSizes,
	closedAgainstOpen,
	coinFlips,
	flushReasons,
	heatMap,
	latencyByRate,
	pairedDots,
} from "batching-lab/charts";

const point = (rateMultiple: number, ms: number | null, stable = true) => ({
	rateMultiple,
	ms,
	low: ms,
	high: ms,
	stable,
});

test("where the queue grows the marker is hollow and the words say so", () => {
	const { data, alt, layout } = latencyByRate({
		percent: 99,
		series: [{ setting: "none", points: [point(0.5, 5), point(1.6, 900, false)] }],
	});
	assert.deepEqual(data[0]?.marker, {
		color: "#c8581a",
		size: 8,
		symbol: ["circle", "circle-open"],
		line: { width: 2, color: "#c8581a" },
	});
	assert.match(alt, /900 ms at 1\.6 S \(queue grows\)/);
	assert.match(JSON.stringify(layout.title), /hollow = the queue grows, no stable number/);
});

test("a percentile with too few samples is a gap, not a number", () => {
	const { data, alt } = latencyByRate({
		percent: 99,
		series: [{ setting: "none", points: [point(0.5, null), point(1, 4)] }],
	});
	assert.deepEqual(data[0]?.y, [null, 4]);
	assert.match(alt, /too few samples at 0\.5 S/);
});

test("three rounds of one sign are filled, and their words say only what was seen", () => {
	const { data, alt } = pairedDots([{ label: "a", differencesMs: [1, 2, 3] }]);
	assert.match(JSON.stringify(data[0]?.marker), /"circle"/);
	assert.match(alt, /median 2 ms, seen in 3 of 3 rounds/);
	assert.doesNotMatch(alt, /told apart/);
});

test("batch sizes are shares of batches, in classes that double", () => {
	const { data, alt } = batchSizes([
		{
			label: "x",
			setting: "b32w0",
			counts: [
				[1, 50],
				[2, 25],
				[3, 15],
				[4, 10],
			],
		},
	]);
	assert.deepEqual(data[0]?.y, [50, 25, 25]);
	assert.match(alt, /mean 1\.9 rows/);
});

test("flush reasons that never came are not drawn", () => {
	const { data } = flushReasons([{ label: "x", counts: { idle: 3, full: 1, timer: 0 } }]);
	assert.deepEqual(
		data.map(({ name, x }) => [name, x]),
		[
			["full", [25]],
			["idle", [75]],
		],
	);
});

test("a cell that falls behind has words instead of a colour", () => {
	const cells = [
		{ maxBatchSize: 8, maxWaitMs: 0, ms: 900, stable: false },
		{ maxBatchSize: 32, maxWaitMs: 0, ms: 4, stable: true },
	];
	assert.match(heatMap(cells, { percent: 99, rateMultiple: 2 }).alt, /B 8, W 0 ms: falls behind; B 32, W 0 ms: 4 ms/);
});

test("thinning keeps the one slow request of a closed loop", () => {
	const closed = Array.from({ length: 5000 }, (_, i) => ({ seconds: i / 500, ms: i === 2501 ? 1000 : 2 }));
	const { data, alt } = closedAgainstOpen({ closed, open: closed, freeze: { from: 5, to: 6 } });
	const drawn = data[0]?.y;
	assert.ok(Array.isArray(drawn) && drawn.length <= 100 && drawn.includes(1000));
	assert.match(alt, /Closed loop: 1 of 5000 requests/);
});

test("coins: ways of five flips, both ends all alike", () => {
	const { data, layout } = coinFlips(5);
	assert.deepEqual(data[0]?.y, [1, 5, 10, 10, 5, 1]);
	assert.match(JSON.stringify(layout.title), /2 of 32 results, 1 in 16/);
});

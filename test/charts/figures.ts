import {
	batchSizes,
	batchTimeline,
	canaryOverTime,
	closedAgainstOpen,
	coinFlips,
	coreTime,
	type Figure,
	flushReasons,
	type HookEvent,
	heatMap,
	hookPictures,
	latencyByRate,
	latencyDistribution,
	pairedDots,
	perRowCurve,
	priceOfWait,
	queueOverTime,
	type RateSeries,
	saturationBars,
} from "batching-lab/charts";
import { ecdf, sortSamples } from "batching-lab/stats";

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const RATES = [0.5, 0.8, 1, 1.25, 1.6, 2];

/** Numbers that look random and are the same every time. */
const wobble = (i: number) => 1 + 0.1 * Math.sin(i * 12.9898);

function series(setting: string, milliseconds: readonly number[], unstableFrom = Number.POSITIVE_INFINITY): RateSeries {
	return {
		setting,
		points: RATES.map((rateMultiple, i) => {
			const ms = milliseconds[i] ?? 1;
			return { rateMultiple, ms, low: ms * 0.8, high: ms * 1.4, stable: rateMultiple < unstableFrom };
		}),
	};
}

const SERIES = [
	series("none", [2.2, 8, 60, 420, 900, 1500], 1),
	series("none again", [2.3, 7.5, 63, 430, 910, 1480], 1),
	series("b1w0", [2.6, 11, 90, 500, 1000, 1700], 1),
	series("b8w0", [1.8, 2.3, 3, 4, 7, 40], 2),
	series("b32w0", [1.7, 2.1, 2.6, 3.2, 4.1, 5.6]),
	series("b32w1", [2.9, 3.2, 3.5, 3.9, 4.6, 6]),
	series("b32w2", [4, 4.2, 4.5, 4.9, 5.3, 6.8]),
	series("b128w0", [1.7, 2.1, 2.6, 3.1, 4, 5.4]),
];

const latencies = (scale: number) =>
	ecdf(sortSamples(Float64Array.from({ length: 20_000 }, (_, i) => scale * (0.5 - Math.log((i + 1) / 20_001)))));
const differences = (middle: number, spread: number) => [0, 1, 2, 3, 4].map((i) => middle + spread * Math.sin(i * 2));
const oneByOne: HookEvent[] = [1, 2, 3, 4, 5, 6].flatMap((request) => [
	{ kind: "read", request },
	{ kind: "flush", rows: 1 },
]);
const together: HookEvent[] = [
	...[1, 2, 3, 4, 5, 6].map((request): HookEvent => ({ kind: "read", request })),
	{ kind: "flush", rows: 6 },
];

/** One of every chart, as full as the workbook ever makes it. */
export const EVERY_FIGURE: Readonly<Record<string, Figure>> = {
	"latency by rate, eight settings": latencyByRate({
		percent: 99,
		model: "ft",
		rounds: 5,
		saturationPerSecond: 3300,
		series: SERIES,
	}),
	"latency by rate, six settings with bars": latencyByRate({ percent: 50, rounds: 3, series: SERIES.slice(0, 6) }),
	"cost of a row": perRowCurve([
		{
			model: "gbt",
			points: SIZES.map((size) => ({
				size,
				us: 9 + 1.77 * size * wobble(size),
				lowUs: 8 + 1.6 * size,
				highUs: 11 + 2 * size,
			})),
			fit: { fixedUs: 9, marginalUs: 1.77 },
			plateauSize: 64,
		},
		{
			model: "ft",
			points: SIZES.map((size) => ({ size, us: 98 + 18 * size })),
			fit: { fixedUs: 98, marginalUs: 18 },
			plateauSize: null,
		},
	]),
	"price of the wait": priceOfWait(
		[0, 1, 2, 5, 10].map((maxWaitMs) => ({
			setting: `b32w${maxWaitMs}`,
			maxWaitMs,
			differencesMs: differences(maxWaitMs * 0.9, 0.2),
		})),
	),
	"paired dots": pairedDots([
		{ label: "b32w0 − none", differencesMs: differences(-2.8, 0.3) },
		{ label: "b32w2 − none", differencesMs: differences(1, 0.4) },
		{ label: "none again − none", differencesMs: differences(0.1, 1) },
		{ label: "in three rounds", differencesMs: [1, 2, 3] },
	]),
	"batch sizes": batchSizes([
		{
			label: "b32w0 at 0.5 S",
			setting: "b32w0",
			counts: [
				[1, 900],
				[2, 200],
				[3, 50],
			],
		},
		{
			label: "b32w0 at 1.6 S",
			setting: "b32w0",
			counts: new Map([
				[1, 90],
				[7, 410],
				[32, 30],
			]),
		},
	]),
	"flush reasons": flushReasons([
		{ label: "b32w0 at 2 S", counts: { idle: 700, full: 300 } },
		{ label: "b32w2 at 0.5 S", counts: { timer: 995, full: 3, drain: 2 } },
	]),
	"core time": coreTime([
		{
			label: "none",
			parts: [
				{ name: "model", value: 12 },
				{ name: "rest of the service", value: 82 },
				{ name: "client", value: 38 },
			],
		},
		{
			label: "b32w0",
			parts: [
				{ name: "model", value: 2 },
				{ name: "rest of the service", value: 55 },
				{ name: "client", value: 36 },
			],
		},
	]),
	distribution: latencyDistribution([
		{ setting: "none", points: latencies(2) },
		{ setting: "b32w0", points: latencies(1) },
		{ setting: "b32w2", points: latencies(3) },
	]),
	"heat map": heatMap(
		[8, 32, 128].flatMap((maxBatchSize) =>
			[0, 1, 2, 5, 10].map((maxWaitMs) => ({
				maxBatchSize,
				maxWaitMs,
				ms: 2 + maxWaitMs,
				stable: maxBatchSize > 8 || maxWaitMs < 10,
			})),
		),
		{ percent: 99, rateMultiple: 1.6, model: "ft" },
	),
	canary: canaryOverTime(
		Array.from({ length: 140 }, (_, i) => ({ minutes: i * 0.2, ms: 12 * wobble(i), drifted: i % 40 === 7 })),
	),
	queue: queueOverTime(
		[
			{ setting: "none", points: Array.from({ length: 100 }, (_, i) => ({ seconds: i / 50, waiting: i * 12 })) },
			{
				setting: "b32w0",
				points: Array.from({ length: 100 }, (_, i) => ({ seconds: i / 50, waiting: Math.round(20 * wobble(i)) })),
			},
		],
		{ arrivalsEndSeconds: 2 },
	),
	"closed against open": closedAgainstOpen({
		closed: Array.from({ length: 900 }, (_, i) => ({
			seconds: i < 300 ? i / 100 : 1 + i / 100,
			ms: i === 300 ? 1000 : 2 * wobble(i),
		})),
		open: Array.from({ length: 1600 }, (_, i) => {
			const seconds = i / 160;
			return { seconds, ms: seconds > 3 && seconds < 4 ? (4 - seconds) * 1000 + 2 : 2 * wobble(i) };
		}),
		freeze: { from: 3, to: 4 },
	}),
	"one batch": batchTimeline({
		reason: "timer",
		rows: [
			{ label: "request 1", arrivedMs: 0, leftMs: 2.1, answeredMs: 2.2 },
			{ label: "request 2", arrivedMs: 0.7, leftMs: 2.1, answeredMs: 2.2 },
		],
	}),
	hooks: hookPictures([
		{ hook: "microtask", events: oneByOne },
		{ hook: "nextTick", events: oneByOne },
		{ hook: "setImmediate", events: together },
	]),
	coins: coinFlips(5, { heads: 4 }),
	saturation: saturationBars([
		{ setting: "none", answersPerSecond: [6300, 6500, 6700] },
		{ setting: "nomodel-deferred", answersPerSecond: [9500, 11_000, 12_700] },
	]),
};

/** Every statistic once more, straight from its definition and without any cleverness, on numbers that nobody chose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import {
	clumps,
	comparePaired,
	inSystemAt,
	kendallTau,
	median,
	nearestRank,
	percentileInterval,
	plateauSize,
	queueTrend,
	rates,
	roundsNeeded,
	signsNeeded,
	slowMoments,
	speedOverRun,
	spread,
	toldApart,
} from "batching-lab/stats";
import fc from "fast-check";

const small = fc.integer({ min: -5, max: 5 });
const close = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * (1 + Math.abs(other));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Up to 80 requests within 1,000 ns; some are never answered. */
const traffic = fc
	.array(fc.tuple(fc.integer({ min: 0, max: 999 }), fc.option(fc.integer({ min: 0, max: 1500 }))), { maxLength: 80 })
	.map((requests) => {
		const ordered = [...requests].sort(([a], [b]) => a - b);
		return {
			scheduledNs: ordered.map(([due]) => due),
			receivedNs: ordered.map(([due, stay]) => (stay === null ? Number.NaN : due + stay)),
			latencyNs: ordered.map(([, stay]) => stay ?? Number.NaN),
			horizonNs: 1000,
		};
	});

test("the rank of a percentile, in whole numbers", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 99_999 }), (count, thousandths) => {
			let rank = (BigInt(count) * BigInt(thousandths)) / 100_000n;
			if (rank * 100_000n < BigInt(count) * BigInt(thousandths)) rank++;
			assert.equal(nearestRank(count, thousandths / 1000), Number(rank));
		}),
	);
});

test("the median leaves as many below as above", () => {
	fc.assert(
		fc.property(fc.array(small, { minLength: 1, maxLength: 12 }), (values) => {
			const middle = median(values);
			assert.equal(
				values.filter((value) => value < middle).length <= values.length / 2 &&
					values.filter((value) => value > middle).length <= values.length / 2,
				true,
			);
			assert.ok(values.length % 2 === 0 || values.includes(middle));
		}),
	);
});

test("a verdict, sign by sign, ties among them", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(small, small), { minLength: 1, maxLength: 9 }), (pairs) => {
			const [first, second] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
			const { differences, interval, verdict } = comparePaired(first, second);
			const one = new Set(differences.map(Math.sign));
			const alike = one.size === 1 && !one.has(0);
			assert.equal(verdict.kind, pairs.length < 5 ? "tooFewRounds" : alike ? "toldApart" : "notToldApart");
			assert.equal(verdict.agreeing === pairs.length, alike);
			for (const difference of differences) assert.ok(interval.low <= difference && difference <= interval.high);
			assert.ok(differences.includes(interval.low) && differences.includes(interval.high));
			// All on one side is the same as an interval that does not hold zero.
			assert.equal(alike, interval.low > 0 || interval.high < 0);
		}),
	);
});

test("the rule's chance of a false verdict, over all ways in which signs can fall", () => {
	for (let rounds = 5; rounds <= 10; rounds++) {
		let called = 0;
		for (let signs = 0; signs < 2 ** rounds; signs++) {
			const verdict = toldApart(Array.from({ length: rounds }, (_, i) => ((signs >> i) & 1 ? 1 : -1)));
			if (verdict.kind === "toldApart") called++;
		}
		assert.equal(called / 2 ** rounds, toldApart(new Array<number>(rounds).fill(1)).smallestP);
	}
});

test("the spread from all pairs of rounds", () => {
	fc.assert(
		fc.property(fc.array(small, { minLength: 2, maxLength: 10 }), (values) => {
			const squares = sum(values.map((one) => sum(values.map((other) => (one - other) ** 2))));
			assert.ok(close(spread(values), Math.sqrt(squares / (2 * values.length * (values.length - 1)))));
		}),
	);
});

test("the signs and the rounds that a sign test needs, over all ways in which they can fall", () => {
	const share = (rounds: number, least: number, p: number) => {
		let chance = 0;
		for (let signs = 0; signs < 2 ** rounds; signs++) {
			const ones = signs.toString(2).replaceAll("0", "").length;
			if (ones >= least) chance += p ** ones * (1 - p) ** (rounds - ones);
		}
		return chance;
	};
	const needed = (rounds: number) =>
		Array.from({ length: rounds }, (_, i) => i + 1).find((least) => 2 * share(rounds, least, 0.5) <= 1 / 16) ?? 99;
	for (let rounds = 5; rounds <= 12; rounds++) assert.equal(signsNeeded(rounds, 1 / 16), needed(rounds));
	// Φ(1.2816) = 0.9, Φ(1.6449) = 0.95
	for (const [scatters, p] of [
		[1.2816, 0.9],
		[1.6449, 0.95],
	] as const) {
		const enough = [5, 6, 7, 8, 9, 10, 11, 12].find((rounds) => share(rounds, needed(rounds), p) >= 0.75);
		assert.equal(roundsNeeded(scatters, 1, { power: 0.75 }), enough);
	}
});

test("Kendall's tau by comparing every pair twice", () => {
	fc.assert(
		fc.property(fc.array(small, { minLength: 2, maxLength: 10 }), (series) => {
			const pairs = series.flatMap((a, i) => series.map((b, j) => Math.sign((b - a) * (j - i))));
			assert.ok(close(kendallTau(series), sum(pairs) / (series.length * (series.length - 1))));
		}),
	);
});

test("rates, the queue at any moment, and its tenths counted ns by ns", () => {
	fc.assert(
		fc.property(traffic, ({ scheduledNs, receivedNs, horizonNs }) => {
			const run = { scheduledNs, receivedNs, horizonNs };
			const done = receivedNs.filter((at) => at <= 1e9);
			const found = rates(run);
			assert.equal(found.answered, done.length);
			assert.ok(close(found.answeredPerSecond, (1e9 * done.length) / Math.max(1000, ...done)));
			assert.equal(found.keepsUp, found.answeredPerSecond >= 0.95 * ((1e9 * scheduledNs.length) / 1000));
			const inside = Array.from({ length: 1000 }, (_, ns) =>
				sum(scheduledNs.map((due, i) => Number(due <= ns && !((receivedNs[i] ?? 0) <= ns)))),
			);
			assert.deepEqual(inSystemAt(run, [...inside.keys()]), inside);
			const tenths = Array.from({ length: 10 }, (_, i) => sum(inside.slice(100 * i, 100 * i + 100)) / 100);
			const trend = queueTrend(run);
			for (const [i, slice] of trend.slices.entries()) assert.ok(close(slice, tenths[i] ?? Number.NaN));
		}),
		{ numRuns: 60 },
	);
});

test("the slowest hundredth: its company, its moments; and the speed at both ends", () => {
	fc.assert(
		fc.property(traffic, fc.integer({ min: 0, max: 300 }), ({ scheduledNs, receivedNs, latencyNs, horizonNs }, gap) => {
			const answered = latencyNs.filter((ns) => ns >= 0);
			if (answered.length === 0) return;
			// Slow = slower than 90 % of the answered, which the smallest value does not exceed that so many are at most.
			const limit = Math.min(
				...answered.filter((ns) => answered.filter((other) => other <= ns).length >= 0.9 * answered.length - 1e-9),
			);
			const slow = [...latencyNs.keys()].filter((i) => (latencyNs[i] ?? 0) > limit);
			const company = (i: number) => scheduledNs.filter((at, j) => j < i && at >= (scheduledNs[i] ?? 0) - gap).length;
			const found = clumps(scheduledNs, latencyNs, { windowNs: gap, slowestShare: 0.1 });
			assert.equal(found.slowestCount, slow.length);
			if (slow.length > 0) assert.ok(close(found.slowest, sum(slow.map(company)) / slow.length));
			const all = [...latencyNs.keys()].filter((i) => (latencyNs[i] ?? -1) >= 0);
			assert.ok(close(found.all, sum(all.map(company)) / all.length));
			const starts = slow.filter(
				(i, k) => k === 0 || (scheduledNs[i] ?? 0) - (scheduledNs[slow[k - 1] ?? 0] ?? 0) > gap,
			);
			assert.deepEqual(slowMoments(scheduledNs, latencyNs, { slowestShare: 0.1, gapNs: gap }), {
				count: slow.length,
				moments: starts.length,
			});
			const within = (from: number, to: number) => receivedNs.filter((at) => at > from && at <= to).length;
			assert.deepEqual(speedOverRun({ scheduledNs, receivedNs, horizonNs }), {
				firstPerSecond: within(-1, 200) / 200e-9,
				lastPerSecond: within(800, 1000) / 200e-9,
				waitingAtEnd: scheduledNs.length - within(-1, 1000),
			});
		}),
	);
});

test("the plateau by trying every size, whichever way the curve bends", () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 9 }), (perRow) => {
			const points = perRow.map((us, i) => ({ size: 2 ** i, us: us * 2 ** i }));
			const flat = perRow.findIndex((us, i) => (perRow[i + 1] ?? 0) / us > 0.9);
			assert.equal(plateauSize([...points].reverse()), flat === -1 ? null : 2 ** flat);
		}),
	);
});

test("a doubling that saves ten percent exactly is not the plateau", () => {
	for (const cost of [10, 20, 30, 40]) {
		assert.equal(
			plateauSize([
				{ size: 1, us: cost },
				{ size: 2, us: 2 * 0.9 * cost },
			]),
			null,
		);
	}
});

test("a bootstrap interval from series that are really put together block by block", () => {
	const series = Float64Array.from({ length: 300 }, seededRandom(21));
	const random = seededRandom(22);
	const medians = Array.from({ length: 41 }, () => {
		const drawn: number[] = [];
		while (drawn.length < 300) {
			const from = Math.floor(random() * 300);
			for (let i = 0; i < 7 && drawn.length < 300; i++) drawn.push(series[(from + i) % 300] ?? Number.NaN);
		}
		return drawn.sort((a, b) => a - b)[149] ?? Number.NaN;
	}).sort((a, b) => a - b);
	const found = percentileInterval(series, 50, { random: seededRandom(22), block: 7, replicates: 41 });
	// 42 blocks: Student's t with 41 degrees of freedom, 2.0195 × √(42/41) = 2.044, leaves 2.05 % a side: place 0.8 of 40.
	assert.deepEqual([found?.low, found?.high], [medians[1], medians[39]]);
});

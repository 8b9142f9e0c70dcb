import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import {
	binomialAtLeast,
	normalCdf,
	powerOfAllAgree,
	roundsNeeded,
	signsNeeded,
	smallestFindable,
	smallestP,
	spread,
	toldApart,
} from "batching-lab/stats";

test("the spread of rounds is their standard deviation", () => {
	assert.equal(spread([2, 4, 4, 4, 5, 5, 7, 9]), Math.sqrt(32 / 7));
	assert.throws(() => spread([1]), { code: "NO_SAMPLES" });
});

test("the sign test at the level of five agreeing rounds needs all of 5 to 8, 8 of 9, 9 of 10", () => {
	const level = smallestP(5);
	assert.deepEqual(
		[5, 6, 7, 8, 9, 10, 4].map((rounds) => signsNeeded(rounds, level)),
		[5, 6, 7, 8, 8, 9, 5],
	);
});

test("a difference as large as the scatter needs more rounds than one three times as large", () => {
	assert.equal(roundsNeeded(3, 1), 5);
	assert.equal(roundsNeeded(1, 1), 14);
	assert.equal(roundsNeeded(0.5, 1), 48);
	const power = (rounds: number) => binomialAtLeast(signsNeeded(rounds, smallestP(5)), rounds, normalCdf(1));
	assert.ok(power(14) >= 0.8 && [5, 6, 7, 8, 9, 10, 11, 12, 13].every((rounds) => power(rounds) < 0.8));
	assert.equal(roundsNeeded(0, 1), null);
	assert.equal(roundsNeeded(0.01, 1), null);
	assert.equal(roundsNeeded(1, 0), 5);
});

test("the sign test finds a difference in as many simulated experiments as asked for", () => {
	const random = seededRandom(12);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	for (const difference of [1.5, 1, 0.7]) {
		const rounds = roundsNeeded(2 * difference, 2) ?? 0;
		const needed = signsNeeded(rounds, smallestP(5));
		let found = 0;
		for (let experiment = 0; experiment < 4000; experiment++) {
			let up = 0;
			for (let round = 0; round < rounds; round++) if (2 * (difference + normal()) > 0) up++;
			if (up >= needed) found++;
		}
		assert.ok(found / 4000 >= 0.79 && found / 4000 < 0.9, `${difference}: ${found / 4000} in ${rounds} rounds`);
	}
});

test("a spread from few rounds is as uncertain as stated", () => {
	const random = seededRandom(13);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	for (const [rounds, low, high] of [
		[3, 0.52, 6.3],
		[5, 0.6, 2.9],
		[10, 0.69, 1.8],
	] as const) {
		let [under, over] = [0, 0];
		for (let experiment = 0; experiment < 10_000; experiment++) {
			const seen = spread(Array.from({ length: rounds }, normal));
			if (1 / seen < low) under++;
			if (1 / seen > high) over++;
		}
		assert.ok(Math.abs(under / 10_000 - 0.025) < 0.007 && Math.abs(over / 10_000 - 0.025) < 0.007, `${under} ${over}`);
	}
});

test("all-agree finds what it promises: simulated rounds agree as often as the formula says", () => {
	const random = seededRandom(11);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	const difference = smallestFindable(2, 5, 0.8);
	assert.ok(Math.abs(powerOfAllAgree(difference, 2, 5) - 0.8) < 1e-9);
	let found = 0;
	for (let i = 0; i < 4000; i++) {
		const verdict = toldApart(Array.from({ length: 5 }, () => difference + 2 * normal()));
		if (verdict.kind === "toldApart" && verdict.direction === 1) found++;
	}
	assert.ok(Math.abs(found / 4000 - 0.8) < 0.02, `${found / 4000}`);
});

test("more rounds make all-agree stricter, never more powerful", () => {
	assert.ok(powerOfAllAgree(1, 1, 10) < powerOfAllAgree(1, 1, 5));
});

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

test("the normal distribution function has its table values", () => {
	for (const [z, expected] of [
		[0, 0.5],
		[1, 0.841344746068543],
		[1.959963984540054, 0.975],
		[-1.6448536269514722, 0.05],
		[3, 0.99865010196837],
		[-6, 9.86587645e-10],
	] as const) {
		assert.ok(Math.abs(normalCdf(z) - expected) < 1e-13, `Φ(${z}) = ${normalCdf(z)}`);
	}
	assert.deepEqual([normalCdf(9), normalCdf(-9)], [1, 0]);
});

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

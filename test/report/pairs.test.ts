import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { computeNumbers, openSource } from "batching-lab/report";
import { binomialAtLeast, roundsNeeded } from "batching-lab/stats";
import Database from "better-sqlite3";
import { makeLab, scratch } from "./lab.js";

/** Every number of a record of `ft`, after `change` was made to its rows; both computations have to agree on all. */
function numbersAfter(t: Parameters<typeof scratch>[0], change: string, rounds = 5): ReadonlyMap<string, number> {
	const folder = makeLab(scratch(t), { models: ["ft"], settings: ["none", "b1w0", "b32w0", "b32w2"], rounds });
	if (change !== "") {
		const database = new Database(join(folder, "lab.sqlite"));
		assert.equal(database.prepare(change).run().changes, 1, change);
		database.close();
	}
	const source = openSource(folder);
	try {
		return computeNumbers(source).numbers;
	} finally {
		source.close();
	}
}

const B32W0 = "kind = 'open' AND setting = 'b32w0' AND round = 3 AND rate_multiple = 0.5";
const PAIR = "pair/ft/b32w0~none/x0.5/p99Ms";

test("a round is a pair only on the same arrivals, with two valid runs, on a machine that kept its speed", (t) => {
	for (const change of [
		`UPDATE run SET seed = seed + 1 WHERE ${B32W0}`,
		`UPDATE run SET rate_per_second = rate_per_second * 1.01 WHERE ${B32W0}`,
		`UPDATE run SET verdict = 'INVALID' WHERE ${B32W0}`,
		`UPDATE run SET drifted = 1 WHERE ${B32W0}`,
	]) {
		const numbers = numbersAfter(t, change);
		assert.equal(numbers.get(`${PAIR}/rounds`), 4, change);
		assert.equal(numbers.get(`${PAIR}/coveragePercent`), 87.5);
		assert.equal(numbers.get(`${PAIR}/toldApart`), undefined);
		assert.equal(numbers.get("pair/ft/b32w2~none/x0.5/p99Ms/rounds"), 5);
		assert.equal(numbers.get("pair/ft/b32w0~none/x1.6/p99Ms/rounds"), 5);
	}
});

test("a race that one setting has too few rounds for stays open: it is not lost", (t) => {
	const decided = numbersAfter(t, "");
	assert.equal(typeof decided.get("wait/ft/x1.6/timedBeatsAllFree"), "number");
	const open = numbersAfter(
		t,
		"UPDATE run SET seed = 1 WHERE kind = 'open' AND setting = 'b32w2' AND round = 3 AND rate_multiple = 1.6",
	);
	assert.equal(open.get("wait/ft/x1.6/timedBeatsAllFree"), undefined);
	assert.equal(open.get("wait/ft/x1.6/timedSettings"), 1);
});

test("beside the verdicts stands how many there are, and how many of them luck alone would give", (t) => {
	const five = numbersAfter(t, "");
	assert.equal(five.get("luck/ft/x0.5/comparisons"), 6);
	assert.equal(five.get("luck/ft/x0.5/expected"), 6 / 16);
	const one = numbersAfter(t, `UPDATE run SET seed = seed + 1 WHERE ${B32W0}`);
	assert.equal(one.get("luck/ft/x0.5/expected"), 4 / 16 + 2 / 8);
	const three = numbersAfter(t, "", 3);
	assert.equal(three.get("luck/ft/x1.6/expected"), 6 / 4);
});

test("none against itself: so many agreeing comparisons by luck, and the rounds that a tenth of its p99 takes", (t) => {
	const numbers = numbersAfter(t, "");
	const of = (key: string) => numbers.get(key) ?? Number.NaN;
	assert.equal(of("aa/ft/comparisons"), 2);
	const byLuck = 100 * binomialAtLeast(of("aa/ft/allAgree"), 2, 1 / 16);
	assert.ok(Math.abs(of("aa/ft/soManyByLuckPercent") - byLuck) < 1e-9);
	for (const rate of [0.5, 1.6]) {
		const key = `power/ft/x${rate}`;
		assert.ok(Math.abs(of(`${key}/tenthMs`) * 10 - of(`sweep/ft/none/x${rate}/p99Ms`)) < 1e-9);
		assert.equal(
			numbers.get(`${key}/roundsForTenth`) ?? null,
			roundsNeeded(of(`${key}/tenthMs`), of(`${key}/spreadMs`)),
		);
	}
});

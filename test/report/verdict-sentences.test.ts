import assert from "node:assert/strict";
import { test } from "node:test";
import { makeLab, scratch } from "./lab.js";
import { reportOf, saying } from "./sentences.js";

const SETTINGS = ["none", "b8w0", "b32w0", "b32w2"];

test("the best batched setting: who is told apart from it, who ties, and where the rounds say the opposite", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], settings: SETTINGS }));
	const stable = Object.fromEntries(
		SETTINGS.flatMap((setting, place) => {
			const key = `sweep/ft/${setting}/x1.6`;
			return [
				[`${key}/keptUpRounds`, 5],
				[`${key}/growingRounds`, 0],
				[`${key}/p99Ms`, 10 + place],
			];
		}),
	);
	const best = (b32w0: number, b32w2: number) =>
		saying(report, "best", {
			...stable,
			"pair/ft/b32w0~b8w0/x1.6/p99Ms/toldApart": b32w0,
			"pair/ft/b32w2~b8w0/x1.6/p99Ms/toldApart": b32w2,
		});
	assert.match(best(1, 1), /b8w0 has the lowest p99, told apart from all others\. It was picked because it came out/);
	assert.match(best(0, 1), /b8w0 has the lowest p99, and cannot be told apart from b32w0: these are ties/);
	assert.match(best(1, -1), /yet round by round b32w2 is faster: .* So no order is claimed/);
	assert.doesNotMatch(best(1, -1), /told apart from all others/);
});

test("a setting that was unstable at the busiest rate is compared with nobody there", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], settings: SETTINGS, rounds: 3 }));
	const rounds = Object.fromEntries(
		["b32w0", "b32w2"].flatMap((setting) => [
			[`sweep/ft/${setting}/x1.6/keptUpRounds`, 3],
			[`sweep/ft/${setting}/x1.6/growingRounds`, 0],
		]),
	);
	const shaky = { ...rounds, "sweep/ft/b32w2/x1.6/keptUpRounds": 2 };
	assert.match(saying(report, "five-steps", rounds), /at 1\.6 × S \(the middle one of the rounds' differences\): /);
	assert.match(saying(report, "five-steps", shaky), /at 1\.6 × S: not compared \(unstable there: b32w2\)/);
	assert.match(saying(report, "headline", rounds), /against b32w0 directly/);
	assert.doesNotMatch(saying(report, "headline", shaky), /against b32w0 directly/);
});

test("none against itself is more than luck when luck does so much in fewer than one of twenty experiments", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"] }));
	const said = (percent: number) => saying(report, "against-itself", { "aa/ft/soManyByLuckPercent": percent });
	assert.match(said(4.9), /more often than luck does it/);
	assert.match(said(6.25), /6\.25 %[\s\S]*That is about what luck does/);
});

test("power is said with how badly few rounds know the scatter, and with the rounds that a tenth of the p99 takes", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const said = saying(report, "against-itself", { "power/ft/x0.5/roundsForTenth": 14 });
	assert.match(said, /may well be half as large or six times as large/);
	assert.match(said, /A tenth of the p99, [\d.]+ ms, would take 14 rounds, or longer runs/);
});

test("a table of comparisons says how many there are and how many agree by luck", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], settings: SETTINGS, rounds: 3 }));
	assert.match(
		saying(report, "price-of-wait"),
		/That is 6 comparisons of a batched setting with none\. If none of them differed in truth, all rounds would still agree in 1\.5 of them on average/,
	);
});

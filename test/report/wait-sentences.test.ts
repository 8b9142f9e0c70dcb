import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import Database from "better-sqlite3";
import { makeLab, scratch } from "./lab.js";
import { pair, reportOf, saying } from "./sentences.js";

const P50 = "pair/ft/b32w0~none/x0.5/p50Ms";
const P99 = "pair/ft/b32w0~none/x0.5/p99Ms";
const AGAIN = "pair/ft/none again~none/x0.5/p50Ms";

test("two of three rounds say nothing; three of three are seen; five of five are told apart; four of five are not", (t) => {
	const three = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const undecided = saying(three, "price-of-wait", pair(P99, -19.1, 2, 3));
	assert.match(undecided, /b32w0 p99 +−19\.1 ms .*undecided: the rounds disagree/);
	assert.match(undecided, /with b32w0 .* the slowest of a hundred not clearly changed/);
	assert.match(undecided, /Of three rounds, two always go the same way: only three of three say anything/);
	assert.match(undecided, /luck alone makes all of them agree in 25 % of comparisons.* in 75 % of such experiments/);
	assert.match(saying(three, "price-of-wait", pair(P99, -19.1, 3, 3)), /b32w0 p99 +−19\.1 ms .*faster, seen in 3 of 3/);
	const five = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 5 }));
	assert.match(saying(five, "price-of-wait", pair(P99, 2, 5, 5)), /b32w0 p99 .*slower, told apart in 5 of 5 rounds/);
	assert.match(saying(five, "price-of-wait", pair(P99, 2, 4, 5)), /b32w0 p99 .*not told apart \(4 of 5 rounds agree\)/);
	assert.match(saying(five, "price-of-wait"), /agree in 6\.25 % of comparisons.* in 93\.8 % of such experiments/);
});

test("one round decides nothing, and is said to be one", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	const text = saying(report, "price-of-wait");
	assert.match(text, /undecided: one round only/);
	assert.match(text, /With one round nothing can be said about luck/);
	assert.doesNotMatch(text, /seen in 1 of 1/);
});

test("a change that is no larger than none against itself is said to be no more than that", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const changes = { ...pair(P50, 0.27, 3, 3), ...pair(AGAIN, 0.38, 3, 3) };
	const text = saying(report, "price-of-wait", changes);
	assert.match(text, /with b32w0 the typical request was slower in every round \(no more than none against itself\)/);
	assert.match(text, /Take the p50 with care: here even none against itself went one way/);
	assert.match(
		saying(report, "answer", changes),
		/b32w0 \+0\.27 ms \(slower, .*, yet no more than none against itself\)/,
	);
	const larger = saying(report, "price-of-wait", { ...pair(P50, 0.5, 3, 3), ...pair(AGAIN, 0.38, 2, 3) });
	assert.match(larger, /with b32w0 the typical request was slower in every round, the slowest/);
	assert.doesNotMatch(larger, /Take the p50 with care/);
});

test("what a wait does to the slowest is said for itself: it may help them while it costs the typical request", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const text = saying(report, "six-rules", {
		...pair("pair/ft/b32w2~none/x0.5/p50Ms", 2.3, 3, 3),
		...pair("pair/ft/b32w2~none/x0.5/p99Ms", -13.8, 3, 3),
		...pair(AGAIN.replace("p50", "p99"), 1, 2, 3),
	});
	assert.match(text, /\(p50\) at half of S with one: ft \+2\.3 ms \(slower, seen in 3 of 3 rounds\)/);
	assert.match(text, /The slowest \(p99\): ft −13\.8 ms \(faster, seen in 3 of 3 rounds\)/);
});

test("timers that rang early are said to have, and otherwise that none left early", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	assert.match(saying(report, "real-waits"), /No batch that did not fill left before its W/);
	const early = saying(report, "real-waits", { "sweep/ft/b32w2/x0.5/earlyPercent": 3 });
	assert.match(early, /Some batches left before their W \(ft b32w2 at 0\.5 × S\)/);
});

test("where the machine left two rounds, luck is counted for two", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const both = { ...pair(P50, 1, 2, 2), ...pair(P50.replace("b32w0", "b32w2"), 1, 2, 2) };
	assert.match(saying(report, "price-of-wait", both), /With 2 rounds, luck alone makes all of them agree in 50 %/);
	assert.equal(report.resolve("rule/luckPercent/2").kind, "number");
});

test("where no round stands no table is explained", (t) => {
	const folder = makeLab(scratch(t), { models: ["ft"], rounds: 1 });
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec("UPDATE run SET drifted = 1 WHERE kind = 'open'");
	database.close();
	const text = saying(reportOf(folder), "price-of-wait");
	assert.match(text, /^ft: there is no round in which two settings were both valid/);
	assert.doesNotMatch(text, /The table shows|How sure is that/);
});

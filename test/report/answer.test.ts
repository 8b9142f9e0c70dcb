import assert from "node:assert/strict";
import { test } from "node:test";
import { makeLab, scratch } from "./lab.js";
import { pair, reportOf, saying } from "./sentences.js";

const kept = (setting: string, highest: number) => ({ [`sweep/ft/${setting}/highestKept`]: highest });

test("the answer says when batching pays, what it costs, and for which model", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const text = saying(report, "answer");
	assert.match(text, /When does it pay\? When traffic comes near S/);
	assert.match(text, /none kept up to 0\.5 × S and fell behind at the next rate tried, 1\.6 × S/);
	assert.match(text, /b32w0 kept up at every rate tried, the highest 1\.6 × S \(its limit was not reached\)/);
	assert.match(text, /b32w2 \+[\d.]+ ms \(slower, seen in 3 of 3 rounds\)/);
	assert.match(text, /Bits: ft changed the score of [\d,]+ of 4,000 rows in company/);
	assert.match(text, /ft: yes\. It moves the point at which the service falls behind/);
});

test("where both fall behind at one rate, batching pays a little or not at all, and where the bus falls behind first, no", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	const times = "saturation/ft/b32w0/timesS";
	const little = { ...kept("b32w0", 0.5), [times]: 1.4, [`${times}Low`]: 1.02 };
	assert.match(saying(report, "answer", little), /ft: a little\. .* 1\.4 times as many/);
	assert.match(saying(report, "answer", { ...little, [`${times}Low`]: 0.98 }), /ft: no\. At the rates tried it makes/);
	const nothing = saying(report, "answer", { ...kept("b32w0", 0.5), [times]: 1.05 });
	assert.match(nothing, /In this run it paid for no model/);
	assert.match(nothing, /ft: no\. At the rates tried it makes no difference/);
	assert.match(saying(report, "answer", kept("b32w0", 0)), /ft: no\. The batched service fell behind earlier/);
});

test("none counts with the better of its two measurements, and a second one that differs is said", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	const changes = { ...kept("none again", 1.6), "saturation/ft/b32w0/timesS": 1 };
	const text = saying(report, "answer", changes);
	assert.match(text, /Measured a second time, none kept up at every rate tried/);
	assert.match(text, /ft: no\./);
});

test("a rate at which a setting kept up in some rounds only is no rate at which it fell behind", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const text = saying(report, "headline", { "sweep/ft/none/x1.6/keptUpRounds": 2 });
	assert.match(text, /none kept up to 0\.5 × S, and at the next rate tried, 1\.6 × S, in 2 of 3 rounds only\./);
	assert.match(saying(report, "headline", kept("none", 0)), /none kept up in 3 of 3 rounds only at the lowest rate/);
});

test("the row of none again is explained, and the S that the rates follow stands beside that of notebook 03", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	const text = saying(report, "headline");
	assert.match(text, /none again is none, measured a second time/);
	assert.match(text, /ft 3,333, where notebook 03 found [\d,]+/);
	assert.match(text, /0\.5 × S 1,667 a second/);
});

test("a timed wait at the highest rate is compared with the setting without one, whichever way it falls", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const key = "pair/ft/b32w2~b32w0/x1.6/p50Ms";
	const faster = saying(report, "headline", pair(key, -11.9, 3, 3));
	assert.match(faster, /b32w2 −11\.9 ms \(faster, seen in 3 of 3 rounds\)\. So here a timed wait costs .* nothing/);
	const slower = saying(report, "headline", pair(key, 4, 3, 3));
	assert.match(slower, /b32w2 \+4 ms \(slower, seen in 3 of 3 rounds\)\. So here a timed wait costs .* something/);
	const undecided = saying(report, "headline", pair(key, 4, 2, 3));
	assert.match(undecided, /So whether a timed wait costs .* is not decided here/);
});

test("a run that other programs disturbed says so before its answer, a quiet one does not", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	assert.match(
		saying(report, "answer", { "quiet/doubtfulPercent": 98 }),
		/^Read all of this with care: 98 % of the runs/,
	);
	assert.match(saying(report, "answer"), /^When does it pay\?/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { bitRule, bits, gradeExercise } from "batching-lab/story";
import { checked, heard } from "./record.js";

test("the same number of changed rows at every size: company counts, and not how much of it", (t) => {
	const said = heard(() => bits(checked(t, "ft", { 2: 141, 32: 141, 4000: 141 }), "ft"));
	assert.match(
		said,
		/in batches of 2, 141 of 4,000 rows got .* alone \(3\.5[23] %\), and at every other size just as many rows differed/,
	);
	assert.match(said, /No score moved by more than 0\.00000021\./);
	assert.doesNotMatch(said, /how much\* company a row has/);
});

test("more changed rows in larger batches: the size counts too", (t) => {
	const said = heard(() => bits(checked(t, "ft", { 2: 0, 32: 1, 4000: 1 }), "ft"));
	assert.match(
		said,
		/in batches of 2, 0 of 4,000 rows .*between 0 \(in batches of 2\) and 1 \(in batches of 32; 0\.025 %\)/,
	);
	assert.match(said, /it also matters \*how much\* company/);
});

test("a model that keeps its bits says so, and few different scores are called few", (t) => {
	const many = heard(() => bits(checked(t, "gbt", { 2: 0, 32: 0 }, { distinctScores: 2753 }), "gbt"));
	assert.match(many, /keeps its bits: all 4,000 rows .* in each of the 2 batch sizes\. There were 2,753 different/);
	assert.doesNotMatch(many, /few/);
	const few = heard(() => bits(checked(t, "gbt", { 2: 0 }, { distinctScores: 3 }), "gbt"));
	assert.match(few, /3 different scores to compare\. That is few/);
});

test("the second exercise has one right answer on every record", async (t) => {
	const right = async (changed: Readonly<Record<number, number>>, answer: number) =>
		(await gradeExercise(checked(t, "ft", changed), "02", 2, answer)).right;
	assert.equal(await right({ 2: 141, 32: 141, 4000: 141 }, 35_250), true);
	assert.equal(await right({ 2: 141, 32: 141, 4000: 141 }, 2), false);
	assert.equal(await right({ 2: 0, 32: 141 }, 0), true);
	assert.equal(await right({ 2: 0, 32: 141 }, 35_250), false);
});

test("the rule for later answers follows the verdict", (t) => {
	assert.match(
		heard(() => bitRule(checked(t, "gbt", { 2: 0 }), ["gbt"])),
		/gbt: every answer .* must equal .*INVALID/,
	);
	assert.match(
		heard(() => bitRule(checked(t, "gbt", { 2: 7 }), ["gbt"])),
		/gbt: differing answers are expected/,
	);
});

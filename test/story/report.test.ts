import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openRecord } from "batching-lab/record";
import { gradeExercise, heatChart, recomputed, reportOf, section } from "batching-lab/story";
import { makeLab, scratch } from "../report/lab.js";
import { heard } from "./record.js";

function sourceOf(t: Parameters<typeof scratch>[0], options: NonNullable<Parameters<typeof makeLab>[1]>) {
	const record = openRecord(join(makeLab(scratch(t), options), "lab.sqlite"));
	t.after(() => record.close());
	return { record };
}

test("both exercises of notebook 06 are graded from the reader's own report, and neither answer stands in it", async (t) => {
	const source = sourceOf(t, { rounds: 1 });
	const report = reportOf(source);
	const of = (key: string) => report.numbers.get(key) ?? Number.NaN;
	const elsewhere = of("coreTime/ft/none/restOfServiceUs") + of("coreTime/ft/none/clientUs");
	const gain = (elsewhere + 2010) / (elsewhere + 2000 / 32 + 10);
	assert.ok(gain > 5 && gain < 20);
	const grade = async (question: number, answer: number) =>
		(await gradeExercise(source, "06", question, answer, { report })).right;
	assert.equal(await grade(1, gain), true);
	assert.equal(await grade(1, 2010 / 72.5), false);
	const arrivals = of("sweep/gbt/none/x0.5/ratePerSecond") / 100;
	assert.equal(await grade(2, arrivals), true);
	assert.equal(await grade(2, arrivals * 2), false);
	await assert.rejects(gradeExercise(source, "06", 1, 3), { code: "NOT_MEASURED" });
});

test("what was asked after results had been seen says so in words, and nothing else does", (t) => {
	const report = reportOf(sourceOf(t, { models: ["ft"], rounds: 1 }));
	assert.match(
		heard(() => section(report, "clumps")),
		/Added later: the lesson asked this only after it had seen its results/,
	);
	assert.doesNotMatch(
		heard(() => section(report, "headline")),
		/Added later/,
	);
	assert.match(
		heard(() => section(report, "same-story")),
		/did not measure what this part needs/,
	);
});

test("the runs of the sweep and those for S are counted apart, and agreement is not called truth", (t) => {
	const report = reportOf(sourceOf(t, { models: ["ft"], rounds: 1 }));
	assert.match(
		heard(() => recomputed(report)),
		/from 12 runs \(8 of the sweep, 4 closed loops\) .* They cannot show that we measured rightly/,
	);
});

test("fewer than four pairs of dials are no map", (t) => {
	assert.equal(heatChart(sourceOf(t, { models: ["gbt"], rounds: 1 }), "gbt"), null);
	const settings = ["none", "b8w0", "b8w2", "b32w0", "b32w2"];
	assert.match(heatChart(sourceOf(t, { models: ["gbt"], rounds: 1, settings }), "gbt")?.alt ?? "", /B 8, W 2 ms/);
});

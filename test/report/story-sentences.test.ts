import assert from "node:assert/strict";
import { test } from "node:test";
import { bareNumbers, keyedNumbers } from "batching-lab/report";
import { makeLab, scratch } from "./lab.js";
import { pair, reportOf, saying } from "./sentences.js";

test("every number of every section carries a key that the report can resolve to it", (t) => {
	for (const rounds of [1, 5]) {
		const { sections, resolve } = reportOf(makeLab(scratch(t), { rounds }));
		for (const { id, markdown } of sections) {
			assert.deepEqual(bareNumbers(markdown), [], id);
			for (const { key, value } of keyedNumbers(markdown)) {
				const resolved = resolve(key);
				assert.equal(resolved.kind, "number", `${id}: ${key}`);
				if (resolved.kind === "number" && value !== undefined)
					assert.ok(Math.abs(resolved.value - value) <= 1e-9 * Math.abs(value), `${id}: ${key}`);
			}
		}
	}
});

test("the lesson's story is the same, another one, or undecided, point by point, and for gbt only", (t) => {
	const report = reportOf(makeLab(scratch(t), { rounds: 3 }));
	const tail = "pair/gbt/b32w0~none/x0.5/p99Ms";
	const wait = "pair/gbt/b32w2~none/x0.5/p50Ms";
	const kept = { "sweep/gbt/none/highestKept": 0.5, "sweep/gbt/b32w0/highestKept": 1.6 };
	const same = saying(report, "same-story", { ...kept, ...pair(tail, -2, 3, 3), ...pair(wait, 2, 3, 3) });
	assert.match(same, /No point speaks against it: the same story in five of five points, none undecided/);
	const other = saying(report, "same-story", { ...kept, ...pair(tail, 2, 3, 3), ...pair(wait, 2, 2, 3) });
	assert.match(other, /the slowest requests gain\. .* no$/m);
	assert.match(other, /The same story in three of five points, another one in one, one undecided/);
	const everywhere = { "sweep/gbt/none/highestKept": 1.6, "sweep/gbt/b32w0/highestKept": 1.6 };
	const open = saying(report, "same-story", everywhere);
	assert.match(open, /falls behind near S\. .* no$/m);
	assert.match(open, /keeps up with far more traffic\. .* undecided$/m);
	assert.doesNotMatch(same, /ft/);
	assert.equal(saying(reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 })), "same-story"), "");
});

const core = (model: string, setting: string, us: number) => ({ [`saturation/${model}/${setting}/coreUs`]: us });

test("the controls say where the gain comes from, whichever way they fall, and their absence is said plainly", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["gbt"], rounds: 1 }));
	const say = (none: number, bus: number, once: number, later: number) =>
		saying(report, "saturation", {
			...core("gbt", "none", none),
			...core("gbt", "b32w0", bus),
			...core("gbt", "nomodel", once),
			...core("gbt", "nomodel-deferred", later),
		});
	assert.match(
		say(130, 80, 100, 70),
		/b32w0 saves gbt 50 µs an answer; .* saves 30 µs\. So most of the gain of the bus/,
	);
	assert.match(say(130, 80, 100, 52), /So nearly the whole gain of the bus can be had without any model/);
	assert.match(say(130, 80, 100, 50), /So as much as the whole gain/);
	assert.match(say(130, 80, 100, 40), /So more than the whole gain/);
	assert.match(say(130, 80, 100, 77), /So about half of the gain/);
	assert.match(say(130, 80, 100, 88), /So a smaller part of the gain/);
	assert.match(say(130, 80, 100, 99), /Next to nothing: here the gain comes with the model/);
	assert.match(say(130, 131, 100, 99), /no gain of the bus to be explained/);
	const without = saying(report, "saturation", { "controls/gbt/deferredTimes": null });
	assert.match(without, /did not measure the two settings that answer without a model/);
});

test("the saving of an answer is taken apart, and it is said whether most of it is the model's", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	const parts = (setting: string, us: readonly number[]) => ({
		...core(
			"ft",
			setting,
			us.reduce((sum, part) => sum + part, 0),
		),
		...Object.fromEntries(
			["modelUs", "restOfServiceUs", "clientUs"].map((name, i) => [`coreTime/ft/${setting}/${name}`, us[i] ?? 0]),
		),
	});
	const say = (bus: readonly number[]) =>
		saying(report, "saturation", { ...parts("none", [100, 150, 50]), ...parts("b32w0", bus) });
	assert.match(
		say([20, 140, 40]),
		/100 µs less than with none: 80 µs in the model, 10 µs in the rest .* Most of it is the model's/,
	);
	assert.match(say([90, 80, 30]), /Most of it is not the model's/);
	assert.match(say([90, 170, 50]), /In this run b32w0 saves ft nothing/);
});

test("a bus that never groups: a cost, no cost to be seen, or a claim where it was not measured", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 1 }));
	const key = "saturation/ft/b1w0/timesS";
	assert.match(saying(report, "six-rules"), /This run did not measure it, so here it is a claim/);
	assert.match(saying(report, "six-rules", { [key]: 0.76 }), /ft 0\.76 × S \(less than without it\)/);
	assert.match(saying(report, "six-rules", { [key]: 1.02 }), /ft 1\.02 × S \(no cost to be seen\)/);
});

test("the five steps name a command, a threshold and both models' numbers", (t) => {
	const text = saying(reportOf(makeLab(scratch(t), { rounds: 3 })), "five-steps");
	for (const command of ["model-alone", "bit-check", "saturation", "serve", "sweep --profile standard"])
		assert.ok(text.includes(`npx workbook ${command}`), command);
	assert.match(text, /costs less than half of a row alone/);
	assert.equal(text.match(/\*Here:\* gbt .*; ft /g)?.length, 5);
});

test("clumps are blamed only where the ranges of the rounds do not touch", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["gbt"], rounds: 3 }));
	const key = "sweep/gbt/none/x0.5";
	const ranges = (low: number, high: number) => ({
		[`${key}/clumpAllLow`]: 4,
		[`${key}/clumpAllHigh`]: 5,
		[`${key}/clumpSlowestLow`]: low,
		[`${key}/clumpSlowestHigh`]: high,
	});
	assert.match(saying(report, "clumps", ranges(6, 9)), /more company in every round/);
	assert.match(saying(report, "clumps", ranges(4.5, 9)), /no clear difference/);
	assert.match(saying(report, "clumps", ranges(2, 3)), /less company in every round/);
});

test("pictures and tables count batches in one way: all of all rounds together", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], rounds: 3 }));
	const shares = ["full", "timer", "idle"].map(
		(name) => report.numbers.get(`batches/ft/b32w0/x1.6/${name}Percent`) ?? 0,
	);
	assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 1e-9);
	const [count = 0, mean = 0] = ["count", "meanBatch"].map((name) =>
		report.numbers.get(`batches/ft/b32w0/x1.6/${name}`),
	);
	const answered = [...report.facts.runs]
		.filter((run) => run.kind === "open" && run.setting === "b32w0" && run.rateMultiple === 1.6)
		.reduce((sum, run) => sum + run.counts.answered, 0);
	assert.ok(Math.abs(count * mean - answered) < 1e-6);
	assert.match(saying(report, "batches"), /The busier it is, the fuller the bus, by itself/);
	assert.match(saying(report, "batches", { "batches/ft/b32w0/x1.6/meanBatch": 1 }), /did not grow with the traffic/);
});

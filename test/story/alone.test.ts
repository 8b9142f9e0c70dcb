import assert from "node:assert/strict";
import { test } from "node:test";
import {
	callTimes,
	fixedAndMarginal,
	fixedBesideTheLesson,
	gradeExercise,
	perRow,
	plateau,
	worthABus,
	worthInWords,
} from "batching-lab/story";
import { heard, onALine, timed } from "./record.js";

test("the table of calls has every size and every model, so that both exercises can be worked out from it", async (t) => {
	const source = timed(t, { gbt: [onALine(10, 1.4)], ft: [onALine(53, 17.5, 128)] });
	const table = heard(() => callTimes(source, ["gbt", "ft"]));
	assert.match(table, /\| 32 \| 54\.8 µs \| 613 µs \|/);
	assert.match(table, /\| 1,024 \| 1,444 µs \| – \|/);
	assert.equal((await gradeExercise(source, "01", 1, 54.8 / 32)).right, true);
	assert.equal((await gradeExercise(source, "01", 1, 54.8)).right, false);
	assert.equal((await gradeExercise(source, "01", 2, 613 / 70.5)).right, true);
	assert.equal((await gradeExercise(source, "01", 2, 32)).right, false);
});

test("repeats of the single call that lie far apart are called rough, close ones are not", (t) => {
	const close = timed(t, { ft: [onALine(50, 17), onALine(52, 17), onALine(55, 17)] });
	const wide = timed(t, { ft: [onALine(50, 17), onALine(52, 17), onALine(124, 17)] });
	assert.match(
		heard(() => perRow(close, "ft")),
		/took 69 µs \(from 67 µs to 72 µs in 3 repeats\)\. A row was cheapest/,
	);
	assert.match(
		heard(() => perRow(wide, "ft")),
		/took 69 µs \(from 67 µs to 141 µs in 3 repeats\)\. That is a wide range/,
	);
	const once = timed(t, { ft: [onALine(50, 17)] });
	assert.doesNotMatch(
		heard(() => perRow(once, "ft")),
		/repeats/,
	);
});

test("a line is good enough up to a tenth, and the models it fails are named", (t) => {
	const bent = { ...onALine(10, 1.4), 32: 90 };
	const source = timed(t, { gbt: [bent], ft: [onALine(53, 17)] });
	assert.match(
		heard(() => fixedAndMarginal(source, ["gbt", "ft"])),
		/not good enough for gbt: trust the measured times/,
	);
	assert.match(
		heard(() => fixedAndMarginal(source, ["ft"])),
		/good enough for every model/,
	);
});

test("the plateau shows the doublings on both sides of it, or says that there is none", (t) => {
	const source = timed(t, { gbt: [{ 1: 100, 2: 110, 4: 210, 8: 420 }], ft: [{ 1: 100, 2: 110, 4: 130 }] });
	const said = heard(() => plateau(source, ["gbt", "ft"]));
	assert.match(
		said,
		/gbt: at 2 rows: from 2 to 4 rows a row got 4\.55 % cheaper \(55 µs, then 52\.5 µs\), while from 1 to 2 rows a row got 45 % cheaper/,
	);
	assert.match(said, /ft: never, up to 4 rows/);
	const dearer = timed(t, { gbt: [{ 1: 100, 2: 240 }] });
	assert.match(
		heard(() => plateau(dearer, ["gbt"])),
		/at 1 row: from 1 to 2 rows a row got no cheaper/,
	);
});

test("a gain in times and a gain in microseconds are told apart, whichever model has which", (t) => {
	const apart = timed(t, { gbt: [onALine(10, 1.4)], ft: [onALine(53, 17.5)] });
	assert.match(
		heard(() => worthABus(apart, ["gbt", "ft"])),
		/Counted in \*times\*, gbt gains more; counted in \*microseconds\*, ft does\. .*: ft is more worth a bus/,
	);
	const together = [
		{ model: "gbt", times: 2, savedUs: 5 },
		{ model: "ft", times: 9, savedUs: 60 },
	];
	assert.match(worthInWords(together), /Counted in \*times\* and counted in \*microseconds\*, `ft` gains more/);
	assert.match(worthInWords([{ model: "gbt", times: 0.8, savedUs: -2 }]), /Sharing saves nothing/);
});

test("the lesson's fixed cost is smaller here only where it is", (t) => {
	const gone = timed(t, { gbt: [onALine(10, 1.4)], ft: [onALine(53, 17.5)] });
	assert.match(fixedBesideTheLesson(gone), />500<\/span> ÷ .*>10<\/span> = .*times smaller.*we did not measure that/);
	assert.match(fixedBesideTheLesson(gone), /`ft`, whose calls have a fixed cost of .*53 µs.*still have a large one/);
	const like = timed(t, { gbt: [onALine(400, 2.6)] });
	assert.match(fixedBesideTheLesson(like), /not clearly smaller\. So a bus has as much to save/);
	const both = timed(t, { gbt: [onALine(10, 1.4)], ft: [onALine(12, 1)] });
	assert.doesNotMatch(fixedBesideTheLesson(both), /still have a large one/);
});

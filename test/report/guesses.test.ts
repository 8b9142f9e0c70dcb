import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecord, type RecordWriter } from "batching-lab/record";
import { AUTHOR_GUESSES, authorGuessRows, makeReport, openSource, recordGuesses } from "batching-lab/report";
import { type LabOptions, makeLab, scratch } from "./lab.js";

function writeAuthors(writer: RecordWriter): number {
	return recordGuesses({ guesses: writer.guesses(), write: (guess) => writer.addGuess(guess) });
}

function reportOf(folder: string) {
	const source = openSource(folder);
	try {
		return makeReport(source);
	} finally {
		source.close();
	}
}

function graded(t: Parameters<typeof scratch>[0], options: LabOptions) {
	return reportOf(makeLab(scratch(t), options)).grades;
}

test("the lesson's ten known guesses are here as twelve statements", () => {
	const restated = AUTHOR_GUESSES.filter(({ lesson }) => lesson !== null);
	assert.equal(restated.length, 12);
	assert.equal(new Set(restated.map(({ lesson }) => Number.parseInt(lesson ?? "", 10))).size, 10);
	assert.equal(new Set(AUTHOR_GUESSES.map(({ key }) => key)).size, AUTHOR_GUESSES.length);
});

test("the author's guesses are written once, dated before the first timed run, and graded with the number that decided", (t) => {
	const settings = ["none", "b1w0", "b8w0", "b32w0", "b32w2"];
	const grades = graded(t, {
		settings,
		before: (writer) => {
			assert.equal(writeAuthors(writer), AUTHOR_GUESSES.length);
			assert.equal(writeAuthors(writer), 0);
		},
	});
	assert.equal(grades.length, AUTHOR_GUESSES.length);
	assert.ok(grades.every(({ addedLater, sha256 }) => !addedLater && /^[0-9a-f]{64}$/.test(sha256)));
	const of = (key: string) => grades.find((grade) => grade.key === key);
	assert.equal(of("lesson-1")?.grade, "right");
	assert.deepEqual(of("lesson-4")?.found, [{ fact: "bits/gbt/sizesThatDiffer", value: 0 }]);
	assert.equal(of("lesson-7b")?.grade, "right");
	assert.equal(of("ours-1")?.grade, "wrong");
});

test("with three rounds a guess about told apart stays open, and one that is plainly wrong is wrong all the same", (t) => {
	const grades = graded(t, { rounds: 3, before: writeAuthors });
	const of = (key: string) => grades.find((grade) => grade.key === key)?.grade;
	assert.equal(of("lesson-6a"), "open");
	assert.equal(of("lesson-7b"), "open");
	assert.equal(of("lesson-9"), "open");
	assert.equal(of("ours-1"), "wrong");
});

test("what is graded is the guess in the record, not the one in today's code", (t) => {
	const grades = graded(t, {
		rounds: 1,
		before: (writer) =>
			writer.addGuess({
				key: "lesson-1",
				author: "author",
				text: "One call takes a whole second.",
				value: [{ fact: "alone/gbt/1/callUs", is: "atLeast", value: 1e6 }],
			}),
	});
	assert.deepEqual(
		grades.map(({ key, grade, text }) => [key, grade, text]),
		[["lesson-1", "wrong", "One call takes a whole second."]],
	);
});

test("a reader within a quarter is right, one outside is wrong, one about something unmeasured is open", (t) => {
	const reader = (key: string, value: number) => ({ key, author: "reader" as const, text: key, value });
	const grades = graded(t, {
		rounds: 1,
		before: (writer) => {
			writer.addGuess(reader("alone/gbt/1/callUs", 10));
			writer.addGuess(reader("saturation/gbt/none/answersPerSecond", 100));
			writer.addGuess(reader("sweep/gbt/b512w0/highestKept", 2));
			writer.addGuess(reader("bits/gbt/worstPercent", 0));
			writer.addGuess(reader("alone/gbt/1/callUs", 12));
		},
	});
	assert.deepEqual(
		grades.map(({ grade, addedLater }) => [grade, addedLater]),
		[
			["right", false],
			["wrong", false],
			["open", false],
			["right", false],
			["right", true],
		],
	);
});

test("a guess written after what it is about was measured is marked, with the date it has", (t) => {
	const folder = makeLab(scratch(t), { rounds: 1 });
	const writer = openRecord(`${folder}/lab.sqlite`, { readonly: false });
	writer.addGuess({ key: "alone/gbt/1/callUs", author: "reader", text: "late", value: 12 });
	for (const guess of authorGuessRows().slice(0, 1)) writer.addGuess(guess);
	writer.close();
	assert.deepEqual(
		reportOf(folder).grades.map(({ addedLater }) => addedLater),
		[true, true],
	);
});

test("no guess is said to be no guess", (t) => {
	const report = reportOf(makeLab(scratch(t), { rounds: 1, models: ["gbt"] }));
	assert.match(report.sections.find(({ id }) => id === "guesses")?.markdown ?? "", /No guess was written down/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecord, type RecordWriter } from "batching-lab/record";
import {
	AUTHOR_GUESSES,
	authorGuessRows,
	gradeGuesses,
	makeReport,
	openSource,
	plainText,
	recordGuesses,
	sectionsOf,
} from "batching-lab/report";
import Database from "better-sqlite3";
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

test("who is faster stays open where the rounds disagree, and the reason stands beside the number", (t) => {
	const folder = makeLab(scratch(t), { rounds: 3, before: writeAuthors });
	const report = reportOf(folder);
	const key = "pair/gbt/b32w0~none/x0.5/p99Ms";
	const grade = (median: number, agree: number, rounds: number) => {
		const numbers = new Map([
			...report.numbers,
			[`${key}/median`, median],
			[`${key}/agree`, agree],
			[`${key}/rounds`, rounds],
		]);
		const grades = gradeGuesses(report.facts, (name) => numbers.get(name));
		const said = sectionsOf(report.facts, { ...report, numbers }, grades).find(({ id }) => id === "guesses");
		const line = plainText(said?.markdown ?? "")
			.split("\n")
			.find((text) => text.includes("not above that of none"));
		return `${grades.find((one) => one.key === "ours-3")?.grade}: ${line}`;
	};
	assert.match(grade(-0.634, 2, 3), /^open: .*-0\.634 ms, undecided: the rounds do not agree/);
	assert.match(grade(-0.634, 3, 3), /^right: .*-0\.634 ms +right$/);
	assert.match(grade(0.634, 3, 3), /^wrong: /);
	assert.match(grade(0.634, 1, 1), /^open: /);
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

test("what closed loops settle is known once they have run, although the open loops have not", (t) => {
	const folder = makeLab(scratch(t), { rounds: 1, models: ["gbt"] });
	const database = new Database(`${folder}/lab.sqlite`);
	database.exec("UPDATE run SET began_at = '2999-01-01T00:00:00.000Z' WHERE kind = 'open'");
	database.close();
	const writer = openRecord(`${folder}/lab.sqlite`, { readonly: false });
	const keys = ["controls/gbt/deferredTimes", "saturation/gbt/none/answersPerSecond", "sweep/gbt/none/highestKept"];
	for (const key of keys) writer.addGuess({ key, author: "reader", text: key, value: 1 });
	writer.close();
	assert.deepEqual(
		reportOf(folder).grades.map(({ key, addedLater }) => [key, addedLater]),
		keys.map((key) => [key, !key.startsWith("sweep")]),
	);
});

test("no guess is said to be no guess", (t) => {
	const report = reportOf(makeLab(scratch(t), { rounds: 1, models: ["gbt"] }));
	assert.match(report.sections.find(({ id }) => id === "guesses")?.markdown ?? "", /No guess was written down/);
});

test("the table of guesses says what was found in words, with no key of the record in it", (t) => {
	const settings = ["none", "b1w0", "b8w0", "b32w0", "b32w2"];
	const report = reportOf(makeLab(scratch(t), { settings, before: writeAuthors }));
	const text = plainText(report.sections.find(({ id }) => id === "guesses")?.markdown ?? "");
	assert.match(text, /The author's guesses that carry the story:/);
	assert.match(text, /W of at least 1 ms has a higher p50 than none, told apart\. +settings slower: 1 of 1 +right/);
	assert.match(text, /no higher than that of b32w0\. +0\.5 × S, against 1\.6 × S +right/);
	assert.doesNotMatch(text, /[a-z]+\/(?:gbt|ft)\//);
	const three = reportOf(makeLab(scratch(t), { rounds: 3, before: writeAuthors }));
	const open = plainText(three.sections.find(({ id }) => id === "guesses")?.markdown ?? "");
	assert.match(open, /higher p50 than none, told apart\. +too few rounds to tell +open/);
	assert.match(open, /b1w0 has a p50 within 50 µs .* +not measured +open/);
});

test("a guess that came too late is graded and does not count", (t) => {
	const folder = makeLab(scratch(t), { rounds: 1 });
	const writer = openRecord(`${folder}/lab.sqlite`, { readonly: false });
	writer.addGuess({ key: "alone/gbt/1/callUs", author: "reader", text: "late", value: 12 });
	writer.close();
	const { sections, numbers } = reportOf(folder);
	const text = plainText(sections.find(({ id }) => id === "guesses")?.markdown ?? "");
	assert.match(text, /late: 12 .* right \(added later, does not count\)/);
	assert.match(text, /You made no guess in time\./);
	assert.equal(numbers.get("guesses/readerRight"), 0);
});

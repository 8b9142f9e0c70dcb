import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
	compareScores,
	makeReport,
	openSource,
	pickSections,
	plainText,
	summariseRun,
	twoReports,
} from "batching-lab/report";
import Database from "better-sqlite3";
import { makeLab, scratch } from "./lab.js";

function reportOf(folder: string) {
	const source = openSource(folder);
	try {
		return makeReport(source);
	} finally {
		source.close();
	}
}

const section = (report: ReturnType<typeof reportOf>, id: string) =>
	plainText(pickSections(report, id)[0]?.markdown ?? "");

test("a report has every analysis of the lesson, and says which were thought of later", (t) => {
	const report = reportOf(makeLab(scratch(t)));
	assert.deepEqual(
		report.sections.map(({ id }) => id),
		[
			"answer",
			"headline",
			"price-of-wait",
			"real-waits",
			"alone",
			"bits",
			"saturation",
			"batches",
			"tail",
			"same-story",
			"guesses",
			"five-steps",
			"six-rules",
			"limits",
			"quiet",
			"against-itself",
			"best",
			"timed-wait",
			"clumps",
			"stages",
			"little",
		],
	);
	assert.deepEqual(
		report.sections.filter(({ addedLater }) => addedLater).map(({ id }) => id),
		["timed-wait", "clumps"],
	);
	assert.throws(() => pickSections(report, "nix"), { code: "UNKNOWN_SECTION", message: /there are answer, headline/ });
});

test("a latency of a queue that grows stands as unstable", (t) => {
	const text = section(reportOf(makeLab(scratch(t), { models: ["ft"] })), "headline");
	assert.match(text, /none .*ms, unstable: kept up in 0 of 5/);
	assert.match(text, /b32w0 +0\.\d+ ms +1\.\d+ ms/);
});

test("five rounds of one sign are told apart, and a tie with the best is said to be one", (t) => {
	const report = reportOf(makeLab(scratch(t), { models: ["ft"], settings: ["none", "b32w0", "b32w2", "b128w0"] }));
	assert.match(section(report, "price-of-wait"), /b32w2 p50 .*told apart in 5 of 5 rounds/);
	assert.match(
		section(report, "best"),
		/has the lowest p99, and cannot be told apart from b(?:32|128)w0: these are ties/,
	);
});

test("fewer than five rounds never tell anything apart", (t) => {
	const report = reportOf(makeLab(scratch(t), { rounds: 3 }));
	const words = report.sections.map(({ markdown }) => plainText(markdown)).join("\n");
	assert.doesNotMatch(words, /told apart in \d|cannot be told apart from b/);
	assert.match(section(report, "price-of-wait"), /seen in 3 of 3 rounds/);
	assert.match(section(report, "best"), /no order is claimed/);
	assert.ok([...report.numbers.keys()].every((key) => !key.endsWith("/toldApart")));
});

test("a round in which the machine drifted takes no part in a comparison", (t) => {
	const folder = makeLab(scratch(t), { models: ["ft"] });
	const before = reportOf(folder).numbers.get("pair/ft/b32w0~none/x0.5/p99Ms/rounds");
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec("UPDATE run SET drifted = 1 WHERE setting = 'b32w0' AND round = 2 AND rate_multiple = 0.5");
	database.close();
	const report = reportOf(folder);
	assert.equal(before, 5);
	assert.equal(report.numbers.get("pair/ft/b32w0~none/x0.5/p99Ms/rounds"), 4);
	assert.equal(report.numbers.get("pair/ft/b32w0~none/x0.5/p99Ms/toldApart"), undefined);
	assert.equal(report.numbers.get("quiet/drifted"), 1);
});

test("runs that are INVALID are no evidence, and that is said with the reasons", (t) => {
	const folder = makeLab(scratch(t), { models: ["ft"], rounds: 1 });
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec(
		`UPDATE run SET verdict = 'INVALID', reasons = '["8.2 % of the sends came too soon"]' WHERE kind = 'open'`,
	);
	database.close();
	const report = reportOf(folder);
	assert.match(section(report, "headline"), /All 8 open-loop runs are INVALID/);
	assert.match(section(report, "quiet"), /8 × … % of the sends came too soon/);
});

test("the summary of a run names S, what kept up, both p99s, the bits, and where to read more", (t) => {
	const lines = summariseRun(makeLab(scratch(t), { rounds: 1 }));
	const text = lines.join("\n");
	assert.match(
		text,
		/ft: S = [\d,]+ answers a second; batched scores differ from single-row scores in their last bits\./,
	);
	assert.match(text, /gbt: S = [\d,]+ answers a second; batched scores are the single-row scores, to the bit\./);
	assert.match(text, /none kept up to 0\.5 S, b32w0 kept up to 1\.6 S\./);
	assert.match(text, /p99 at half of S: none [\d.]+ ms, b32w0 [\d.]+ ms\./);
	assert.match(lines.at(-1) ?? "", /Read more: .*06-report\.ipynb, or npx workbook report/);
});

test("two records side by side: scores bit by bit, and ratios of every point that both have", (t) => {
	const folders = [1, 2].map((seed) => makeLab(join(scratch(t), String(seed)), { rounds: 1, seed, models: ["ft"] }));
	const sources = folders.map(openSource);
	const [a, b] = sources.map((source) => makeReport(source));
	const [first, second] = sources;
	assert.ok(a && b && first && second);
	assert.deepEqual(compareScores(first, second), [
		{ model: "ft", sameModel: true, compared: 500, equal: 500, maxUlp: 0 },
	]);
	const text = plainText(twoReports(a, b, compareScores(first, second)));
	assert.match(text, /ft: the same model file; 500 of 500 single-row scores equal to the bit/);
	assert.match(text, /sweep\/ft\/b32w0\/x1\.6\/p99Ms/);
	for (const source of sources) source.close();
});

test("plain text lines tables up and leaves no marks", () => {
	assert.equal(
		plainText('**a** `b`\n\n| x | long |\n| --- | ---: |\n| one | 1 |\n\n<span data-key="k">2 &#38; 3</span>'),
		"a b\n\nx    long\n---------\none     1\n\n2 & 3",
	);
});

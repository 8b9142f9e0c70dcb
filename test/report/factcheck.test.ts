import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bareNumbers, fact, factCheck, keyedNumbers, makeReport, openSource, prose } from "batching-lab/report";
import { makeLab, scratch } from "./lab.js";

interface Cell {
	readonly cell_type: "markdown" | "code";
	readonly source: string;
	readonly outputs?: readonly { readonly data: Readonly<Record<string, string>> }[];
}

const told = (markdown: string): Cell => ({
	cell_type: "code",
	source: "story.tell()",
	outputs: [{ data: { "text/markdown": markdown } }],
});
const written = (source: string): Cell => ({ cell_type: "markdown", source });

function setUp(t: Parameters<typeof scratch>[0]) {
	const folder = makeLab(scratch(t), { rounds: 1, models: ["gbt"] });
	const source = openSource(folder);
	const report = makeReport(source);
	source.close();
	const check = (...cells: Cell[]) => {
		const path = join(folder, "05-test.ipynb");
		writeFileSync(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
		return factCheck([path], report.resolve);
	};
	return { report, check };
}

test("computed prose with the record's own numbers passes, whatever the unit and the rounding", (t) => {
	const { report, check } = setUp(t);
	const of = (key: string) => report.numbers.get(key) ?? Number.NaN;
	const s = of("saturation/gbt/none/answersPerSecond");
	const result = check(
		told(
			prose`S is ${fact("saturation/gbt/none/answersPerSecond", Math.round(s))} and the p99 ${fact("sweep/gbt/none/x0.5/p99Ms", of("sweep/gbt/none/x0.5/p99Ms"), "ms")}.`,
		),
		told(
			prose`${fact("reference/lesson-015", 5.26, "ms")}, ${fact("reference/lesson-017~018", 1.93, "ms", "1.93")}, ${fact("rate/x0.5", 0.5, "× S")}, ${fact("machine/cores", 2)}`,
		),
		told(
			prose`AP ${fact("model/gbt/averagePrecision", 0.5481, "", "0.5481")}, ${fact("virtual/bus/4/3/trips", 5, "trips")}`,
		),
		written('It keeps up at <span data-key="rule/keepsUpPercent">95 %</span>.'),
	);
	assert.deepEqual(result.problems, []);
	assert.equal(result.checked, 8);
	assert.equal(result.virtual, 1);
});

test("every section of a report passes its own fact check", (t) => {
	const { report, check } = setUp(t);
	const result = check(...report.sections.map(({ markdown }) => told(markdown)));
	assert.deepEqual(result.problems, []);
	assert.ok(result.checked > 100);
});

test("a number that is not the record's is found, with cell and expected value", (t) => {
	const { report, check } = setUp(t);
	const expected = report.numbers.get("sweep/gbt/none/x0.5/p99Ms") ?? Number.NaN;
	const { problems } = check(
		written("# 05 · Title"),
		told(prose`p99 ${fact("sweep/gbt/none/x0.5/p99Ms", expected * 1.01, "ms")}`),
	);
	assert.equal(problems.length, 1);
	assert.deepEqual(
		{ ...problems[0], text: "" },
		{
			notebook: "05-test.ipynb",
			cell: 2,
			where: "output",
			kind: "wrongNumber",
			text: "",
			key: "sweep/gbt/none/x0.5/p99Ms",
			expected,
		},
	);
});

test("text that prints another number than it carries is found too", (t) => {
	const { check } = setUp(t);
	assert.equal(
		check(told('<span data-key="reference/lesson-015" data-value="5.26">5.62 ms</span>')).problems[0]?.kind,
		"wrongNumber",
	);
	assert.equal(check(told('<span data-key="virtual/x" data-value="3">4</span>')).problems[0]?.kind, "wrongNumber");
});

test("a key that stands for nothing, and a number without a key, fail", (t) => {
	const { check } = setUp(t);
	const { problems } = check(
		told(prose`${fact("sweep/gbt/b7w7/x0.5/p99Ms", 3, "ms")}`),
		written("It was 3.5 times faster, in 12 of 15 runs."),
	);
	assert.deepEqual(
		problems.map(({ kind, text }) => [kind, text]),
		[
			["unknownKey", "3 ms"],
			["noKey", "3.5"],
			["noKey", "12"],
			["noKey", "15"],
		],
	);
});

test("what claims nothing needs no key", () => {
	const quoted =
		"# 05 · Title\n\n1. One\n2. Two\n\n`b32w0` and p99, [x](http://a/12), `1,024` rows\n\n```js\nconst a = 3;\n```\n> 3. quoted\n<b data-x='4'>word</b> h2o";
	assert.deepEqual(bareNumbers(quoted), []);
	assert.deepEqual(bareNumbers("between 5 and 1,024, about −3.5 %; 2-core"), ["5", "1,024", "−3.5 %", "2"]);
});

test("keys and texts survive their escaping", () => {
	const [keyed] = keyedNumbers(prose`${fact('a"<b', 1234.5, "µs")}`);
	assert.deepEqual(keyed, { key: 'a"<b', value: 1234.5, text: "1,235 µs" });
});

test("a file that is no notebook is named", (t) => {
	const path = join(scratch(t), "x.ipynb");
	writeFileSync(path, "nix");
	assert.throws(() => factCheck([path], () => ({ kind: "unknown" })), { code: "NOT_A_NOTEBOOK" });
});

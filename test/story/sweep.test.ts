import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecord } from "batching-lab/record";
import { keyedNumbers } from "batching-lab/report";
import {
	freezeDemo,
	freezeInWords,
	gradeExercise,
	highestKept,
	keepingUp,
	type QueueSeen,
	queueInWords,
	queuesSeen,
	rates,
	reportOf,
	type Slowest,
	sameAgainstSame,
	sameInWords,
	slowestOf,
	tellQueue,
	warmingInWords,
	whySlow,
	whySlowInWords,
} from "batching-lab/story";
import { COLUMNS, newRun, result } from "../record/fixture.js";
import { makeLab, scratch } from "../report/lab.js";
import { emptyRecord, heard } from "./record.js";
import { read } from "./words.js";

test("how far a setting kept up is said with what was tried, and equals share a line", () => {
	const words = (none: number, ...others: number[]) =>
		read(
			keepingUp(
				"gbt",
				[0.5, 1, 1.6],
				[
					{ setting: "none", highest: none },
					...others.map((highest, i) => ({ setting: i === 0 ? "b32w0" : "b32w2", highest })),
				],
			),
		);
	const helps = words(0.5, 1.6, 1.6);
	assert.match(helps, /^- none kept up to 0\.5 × S and not at 1 × S; nothing between was tried\./);
	assert.match(helps, /- b32w0 and b32w2 kept up to 1\.6 × S, the highest rate tried; how much further is not known/);
	assert.match(
		helps,
		/At 1 × S b32w0 and b32w2 kept up in every round, and none did not\. At 0\.5 × S none kept up too\.$/,
	);
	assert.match(words(1, 1), /no bus kept up further than none/);
	assert.match(
		words(1, 0),
		/b32w0 fell behind at 0\.5 × S already.*\n\nHere the bus made the service fall behind earlier/s,
	);
	assert.match(words(0, 0, 0.5), /At 0\.5 × S b32w2 kept up in every round, and none did not\.$/);
	assert.match(words(1.6), /nothing to compare/);
});

test("a setting that kept up in some rounds of the next rate is not said to have fallen behind there", () => {
	const two = { kept: 2, rounds: 3 };
	const words = (highest: number) =>
		read(
			keepingUp(
				"gbt",
				[0.5, 1, 1.6],
				[
					{ setting: "none", highest, next: two },
					{ setting: "b32w2", highest, next: { kept: 0, rounds: 3 } },
					{ setting: "b32w0", highest: 1.6 },
				],
			),
		);
	const found = words(1);
	assert.match(found, /- none kept up to 1 × S, and at 1\.6 × S in 2 of 3 rounds only; nothing between was tried\./);
	assert.match(found, /- b32w2 kept up to 1 × S and not at 1\.6 × S/);
	assert.match(found, /b32w0 kept up in every round, and none only in some\. At 1 × S none kept up too/);
	assert.match(words(0), /- none kept up at 0\.5 × S, the lowest rate tried, in 2 of 3 rounds only\./);
});

test("a setting that fell behind once did not keep up to any higher rate", (t) => {
	const { record, startId } = emptyRecord(t);
	for (const [rateMultiple, keepsUp] of [
		[0.5, true],
		[1, false],
		[1.6, true],
	] as const) {
		const run = newRun(startId, { setting: "none", rateMultiple });
		record.finishRun(record.beginRun(run).id, result({ summary: { keepsUp } }), COLUMNS);
	}
	assert.equal(highestKept({ record }, "gbt", "none"), 0.5);
	assert.equal(highestKept({ record }, "gbt", "b32w0"), 0);
});

test("the rates of each round are those that were sent, and not one number for all", (t) => {
	const { record, startId } = emptyRecord(t);
	for (const [round, saturationPerSecond] of [
		[1, 7000],
		[2, 6500],
	] as const) {
		const ratePerSecond = 1.6 * saturationPerSecond;
		const run = newRun(startId, {
			setting: "none",
			round,
			position: 1,
			rateMultiple: 1.6,
			ratePerSecond,
			saturationPerSecond,
		});
		record.finishRun(record.beginRun(run).id, result(), COLUMNS);
	}
	const said = heard(() => rates({ record }, ["gbt"]));
	assert.match(said, /\| gbt \| 1 \| 7,000 \| 11,200 \|\n\| gbt \| 2 \| 6,500 \| 10,400 \|/);
	assert.match(
		heard(() => rates({ record }, ["ft"])),
		/no valid run/,
	);
});

const seen = (setting: string, changes: Partial<QueueSeen> = {}): QueueSeen => ({
	run: { id: 18, setting, seconds: 1 },
	scheduled: 4774,
	offeredPerSecond: 4774,
	answeredPerSecond: 3664,
	keepsUp: false,
	saturationPerSecond: 3051,
	firstPerSecond: 1955,
	lastPerSecond: 4270,
	waitingAtEnd: 1346,
	...changes,
});

test("a queue is told with counts that add up, and the rate that decides is told apart from them", () => {
	assert.match(
		read(queueInWords(seen("none"))),
		/none: In 1 s 4,774 requests came and 3,428 were answered, so 1,346 were waiting at the end\. .* 3,664 answers a second, and 4,774 requests a second had come: it did not keep up\./,
	);
	assert.match(read(queueInWords(seen("b32w0", { keepsUp: true }))), /: it kept up\./);
});

test("a service that was still warming up is called so, a steady one is not, and more than S is explained", () => {
	const both = read(warmingInWords([seen("none"), seen("b32w0")]));
	assert.match(
		both,
		/So a queue grows fastest then\. none answered 1,955 a second in the first fifth.*4,270 in the last/,
	);
	assert.match(
		both,
		/answered more than the S of its round, 3,051\. So S, .* came out too low: .* only 1\.12 times what none answered/,
	);
	const steady = { firstPerSecond: 3000, lastPerSecond: 3050 };
	assert.match(read(warmingInWords([seen("none", steady)])), /about as fast at the beginning as at the end/);
	const one = read(warmingInWords([seen("none", steady), seen("b32w0")]));
	assert.match(one, /^In its first moments a service is slower/);
	assert.match(one, /fastest then\. b32w0 answered/);
	assert.doesNotMatch(one, /more than the S/);
	const fast = { firstPerSecond: 4200, lastPerSecond: 4270 };
	assert.match(read(warmingInWords([seen("none", fast)])), /the traffic's\. In the end none answered more than the S/);
	const below = read(warmingInWords([seen("none", { saturationPerSecond: 5000 })]));
	assert.doesNotMatch(below, /more than the S/);
});

test("the slowest came in a few moments, all over the run, or now so and now so", () => {
	const round = (moments: number): Slowest => ({
		id: 1,
		round: 1,
		answered: 3348,
		p50Ms: 0.8,
		p99Ms: 14,
		count: 33,
		moments,
	});
	assert.match(whySlowInWords([round(1), round(3)]), /not spread over the run.*not as a habit/s);
	assert.match(whySlowInWords([round(12), round(9)]), /a habit of this service/);
	assert.match(whySlowInWords([round(1), round(12)]), /In some rounds/);
});

test("none against itself: how often all rounds agreed beside what luck does", () => {
	const words = read(
		sameInWords([
			{ model: "gbt", rateMultiple: 0.5, differencesMs: [1, -2, 3] },
			{ model: "gbt", rateMultiple: 1, differencesMs: [1, 2, 3] },
		]),
	);
	assert.match(words, /gbt: all rounds agreed in 1 of 2 comparisons/);
	assert.match(words, /Luck alone makes all rounds agree in 25 % of comparisons/);
	assert.doesNotMatch(words, /more often than luck/);
	const drifting = [0.5, 1, 1.6].map((rateMultiple) => ({ model: "gbt", rateMultiple, differencesMs: [1, 2, 3] }));
	assert.match(read(sameInWords(drifting)), /more often than luck/);
	assert.match(words, /two always go the same way, so that says nothing/);
	assert.match(sameInWords([{ model: "gbt", rateMultiple: 1, differencesMs: [3] }]), /Only one round of each stands/);
});

test("the tables of notebook 05 and its exercises come from the record", async (t) => {
	const record = openRecord(`${makeLab(scratch(t))}/lab.sqlite`);
	t.after(() => record.close());
	const source = { record };
	const [none] = queuesSeen(source, "ft", ["none"]);
	assert.ok(none !== undefined);
	assert.match(
		heard(() => tellQueue(source, "ft", ["none", "b32w0"])),
		/- none: .* requests came and .* were waiting at the end/,
	);
	assert.equal(slowestOf(source, "gbt").length > 0, true);
	assert.match(
		heard(() => whySlow(source, "gbt")),
		/\| round \| requests \| p50 \| p99 \|/,
	);
	assert.match(
		heard(() => sameAgainstSame(source, ["gbt", "ft"])),
		/p99 of none again/,
	);
	const { resolve } = reportOf(source);
	for (const { key, value } of keyedNumbers(
		`${queueInWords(none)} ${warmingInWords([{ ...none, saturationPerSecond: 1 }])}`,
	)) {
		const found = resolve(key);
		assert.ok(found.kind === "number", key);
		// S is made up here, and a rate in prose is a whole number.
		if (value !== undefined && !key.endsWith("saturationPerSecond"))
			assert.ok(Math.abs(found.value - value) <= 0.5, key);
	}
	const perSecond = none.waitingAtEnd / none.run.seconds;
	assert.equal((await gradeExercise(source, "05", 1, 60 * perSecond)).right, true);
	assert.equal((await gradeExercise(source, "05", 1, perSecond + 1e6)).right, false);
	assert.equal((await gradeExercise(source, "05", 2, 12.5)).right, true);
	assert.equal((await gradeExercise(source, "05", 2, 6.25)).right, false);
});

test("the exercises of notebook 04 are worked out by the batcher: the model is away when the second wait ends", async (t) => {
	const { record } = emptyRecord(t);
	assert.equal((await gradeExercise({ record }, "04", 1, 3)).right, true);
	assert.equal((await gradeExercise({ record }, "04", 1, 2)).right, false);
	assert.equal((await gradeExercise({ record }, "04", 2, 19)).right, true);
	assert.equal((await gradeExercise({ record }, "04", 2, 17)).right, false);
});

test("the server of the demonstration freezes once: every closed-loop client has one frozen request", async () => {
	const demo = await freezeDemo();
	const frozen = demo.closed.filter(({ ms }) => ms > 700);
	assert.equal(frozen.length, 4);
	const open = demo.open.filter(({ ms }) => ms > 700).map(({ seconds }) => seconds);
	assert.ok(open.length > 1 && Math.max(...open) - Math.min(...open) < 1, `slow from ${Math.min(...open)}`);
});

test("what two loops saw of one freeze", () => {
	const requests = (count: number, slow: number) =>
		Array.from({ length: count }, (_, i) => ({ seconds: i / count, ms: i < slow ? 900 : 1 }));
	const words = (slow: number) => read(freezeInWords({ closed: requests(60_000, slow), open: requests(800, 200) }));
	assert.match(words(4), /4 of 60,000 requests were slow\. Its p99 does not even notice/);
	assert.doesNotMatch(words(900), /does not even notice/);
});

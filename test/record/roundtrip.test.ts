import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createRecord, openRecord } from "batching-lab/record";
import fc from "fast-check";
import { COLUMNS, newRun, QUIET, result, START, scratch } from "./fixture.js";

test("a finished run comes back as it was written, times relative to a shared schedule", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = createRecord(path);
	const start = writer.addStart(START);
	const run = writer.beginRun(newRun(start));
	assert.deepEqual(run, { id: 1, slot: "open/gbt/b32w2/setting/round 1/x1.6", attempt: 1 });
	writer.finishRun(run.id, result(), COLUMNS);
	const other = writer.beginRun(newRun(start, { setting: "none" }));
	writer.finishRun(other.id, result(), COLUMNS);
	writer.close();

	const reader = openRecord(path);
	t.after(() => reader.close());
	const [first, second] = reader.finishedRuns();
	assert.deepEqual(first, {
		...newRun(start),
		...result(),
		id: 1,
		slot: run.slot,
		attempt: 1,
		superseded: false,
		state: "finished",
		beganAt: first?.beganAt,
		endedAt: first?.endedAt,
	});
	assert.equal(second?.setting, "none");
	assert.deepEqual(reader.requests(1), COLUMNS.requests);
	assert.deepEqual(reader.batches(1), COLUMNS.batches);
	assert.equal(reader.stamps(1), undefined);
	assert.equal(reader.query("SELECT count(*) AS n FROM arrivals")[0]?.n, 1, "both settings share one schedule");
});

test("a closed loop keeps its own schedule, and stamps are kept where there are some", (t) => {
	const writer = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => writer.close());
	const start = writer.addStart(START);
	const closed = newRun(start, { kind: "closed", rateMultiple: null, ratePerSecond: null, saturationPerSecond: null });
	const { id, slot } = writer.beginRun(closed);
	assert.equal(slot, "closed/gbt/b32w2/setting/round 1");
	const stamps = {
		handlerStartNs: Float64Array.of(1, 2),
		rowReadyNs: Float64Array.of(3, 4),
		scoreBackNs: Float64Array.of(5, 6),
		replyWrittenNs: Float64Array.of(7, 8),
	};
	writer.finishRun(id, result({ stealShare: null }), { ...COLUMNS, stamps });
	assert.deepEqual(writer.requests(id), COLUMNS.requests);
	assert.deepEqual(writer.stamps(id), stamps);
	assert.equal(writer.query("SELECT count(*) AS n FROM arrivals")[0]?.n, 0);
});

test("whatever whole nanoseconds a run has, they come back exactly", (t) => {
	const writer = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => writer.close());
	const start = writer.addStart(START);
	let round = 0;
	const time = fc.oneof(fc.integer({ min: 0, max: 2 ** 50 }), fc.constant(Number.NaN));
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 50 }), time, time), { maxLength: 300 }), (rows) => {
			const scheduledNs = Float64Array.from(rows, (row) => row[0]);
			const requests = {
				scheduledNs,
				sentNs: Float64Array.from(rows, (row) => row[1]),
				receivedNs: Float64Array.from(rows, (row) => row[2]),
				status: new Uint16Array(rows.length).fill(200),
				outcome: new Uint8Array(rows.length),
				scoreBits: Uint32Array.from(rows, (_, i) => (i * 2_654_435_761) >>> 0),
				batchId: new Uint32Array(rows.length),
				batchSize: new Uint16Array(rows.length),
				bodyIndex: new Uint32Array(rows.length),
			};
			round++;
			const { id } = writer.beginRun(newRun(start, { round }));
			writer.finishRun(id, result(), { ...COLUMNS, requests });
			assert.deepEqual(writer.requests(id), requests);
		}),
		{ numRuns: 50 },
	);
});

test("answers come back to the bit whether or not they are the single-row scores, also after the model changed", (t) => {
	const writer = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => writer.close());
	const start = writer.addStart(START);
	const single = Uint32Array.from({ length: 30 }, (_, i) => 0x3e000000 + i * 77_777);
	const bodyIndex = Uint32Array.from({ length: 90 }, (_, i) => (i * 7) % 30);
	const columns = (scoreBits: Uint32Array) => {
		const length = scoreBits.length;
		const times = Float64Array.from({ length }, (_, i) => i);
		return {
			...COLUMNS,
			requests: {
				scheduledNs: times,
				sentNs: times,
				receivedNs: times,
				status: new Uint16Array(length),
				outcome: new Uint8Array(length),
				scoreBits,
				batchId: new Uint32Array(length),
				batchSize: new Uint16Array(length),
				bodyIndex,
			},
		};
	};
	const equal = bodyIndex.map((body) => single[body] ?? 0);
	const nearly = equal.map((bits, i) => (i % 3 === 0 ? bits + 1 : bits));
	const foreign = equal.map((bits) => bits ^ 0x5a5a5a5a);
	writer.putModel({ name: "gbt", sha256: "one", averagePrecision: null, facts: {} });
	writer.putSingleScores("gbt", "one", single);
	const ids = [equal, nearly, foreign].map((bits, i) => {
		const { id } = writer.beginRun(newRun(start, { round: i + 1 }));
		writer.finishRun(id, result(), columns(bits));
		return id;
	});
	writer.putModel({ name: "gbt", sha256: "other", averagePrecision: null, facts: {} });
	writer.putSingleScores(
		"gbt",
		"other",
		single.map((bits) => bits + 9),
	);
	assert.deepEqual(
		ids.map((id) => writer.requests(id).scoreBits),
		[equal, nearly, foreign],
	);
	const named = writer
		.query("SELECT name FROM run_column WHERE name LIKE 'score%' ORDER BY run_id")
		.map((row) => row.name);
	assert.deepEqual(named, ["scoreXor", "scoreXor", "scoreBits"]);
});

test("facts come back typed, and only what was written after a timed run is marked added later", (t) => {
	const writer = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => writer.close());
	const start = writer.addStart(START);
	const hash = writer.addDesign("sweep", { rounds: 3, rates: [0.5, 1] });
	assert.equal(writer.addDesign("sweep", { rounds: 3, rates: [0.5, 1] }), hash);
	writer.addGuess({ key: "s", author: "reader", text: "S is near 6,000", value: 6000 });
	writer.putModel({ name: "gbt", sha256: "9b7", averagePrecision: 0.548, facts: { trees: 54 } });
	assert.equal(writer.model("gbt")?.bits, null);
	writer.addBitCheck({
		startId: start,
		model: "gbt",
		modelSha256: "9b7",
		threads: 1,
		rows: 26_851,
		distinctScores: 9000,
		identical: true,
		sizes: [{ size: 2, differingRows: 0, maxUlp: 0, maxAbs: 0 }],
	});
	assert.equal(writer.model("gbt")?.bits, "identical");
	writer.putModel({ name: "gbt", sha256: "other", averagePrecision: null, facts: {} });
	assert.equal(writer.model("gbt")?.bits, null, "another file has not been checked");
	const sizes = [
		{ size: 1, calls: 2000, minNs: 9e3, p25Ns: 1e4, p50Ns: 1.06e4, p75Ns: 1.1e4, p99Ns: 2e4, meanNs: 1.1e4 },
	];
	const round = { startId: start, model: "gbt", round: 1, pid: 5, order: [1], budgetMs: 300, quiet: QUIET, sizes };
	writer.addModelAlone({ ...round, canaryBeforeNs: 1, canaryAfterNs: null });
	writer.addGuess({ key: "s", author: "author", text: "after the fact", value: [1, 2] });
	assert.equal(writer.singleScoreBits("gbt"), undefined);
	writer.putSingleScores("gbt", "9b7", Uint32Array.of(1, 0xffffffff));
	writer.putSingleScores("gbt", "9b8", Uint32Array.of(0x3e4ccccd, 2, 3));
	assert.deepEqual(writer.singleScoreBits("gbt"), Uint32Array.of(0x3e4ccccd, 2, 3));
	assert.deepEqual(writer.singleScoreBits("gbt", "9b7"), Uint32Array.of(1, 0xffffffff));
	assert.equal(writer.singleScoreBits("gbt", "9b9"), undefined);
	writer.addNote("remark", "looked at afterwards", start);
	writer.addProgress(start, "RUN 1/2");

	assert.deepEqual(
		writer.guesses().map((guess) => [guess.value, guess.addedLater]),
		[
			[6000, false],
			[[1, 2], true],
		],
	);
	assert.deepEqual(
		writer.designs().map(({ name, sha256, addedLater, design }) => ({ name, sha256, addedLater, design })),
		[{ name: "sweep", sha256: hash, addedLater: false, design: { rounds: 3, rates: [0.5, 1] } }],
	);
	assert.deepEqual(writer.modelAlone("gbt")[0]?.sizes, sizes);
	assert.deepEqual(writer.modelAlone("ft"), []);
	assert.equal(writer.bitChecks("gbt")[0]?.sizes[0]?.size, 2);
	assert.equal(writer.notes()[0]?.addedLater, true);
	assert.equal(writer.progress()[0]?.text, "RUN 1/2");
});

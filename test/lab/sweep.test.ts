import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openRecord } from "batching-lab/record";
import { scratch } from "./scratch.js";
import { isAlive, openTiny } from "./tiny.js";

test("a sweep leaves its design, its machine, and every request of every run; asked again it measures nothing", async (t) => {
	const folder = scratch(t);
	const run = await openTiny(folder, { console: join(folder, "console") });
	t.after(() => run.close());
	run.guess({ key: "s", text: "S is above 1,000", value: 1000 });
	const summary = await run.sweep();
	assert.deepEqual([summary.runs, summary.planned, summary.differingAnswers], [2, 2, 0]);

	const { record } = run;
	const [pace] = record.finishedRuns({ kind: "closed", role: "pace" });
	const open = record.finishedRuns({ kind: "open" });
	assert.deepEqual(open.map((each) => each.setting).sort(), ["b32w0", "none"]);
	for (const each of open) {
		const { scheduled, answered, failed, timedOut, unsent } = each.counts;
		assert.equal(answered + failed + timedOut + unsent, scheduled);
		assert.equal(each.saturationPerSecond, pace?.summary.answeredPerSecond);
		assert.equal(each.ratePerSecond, (each.saturationPerSecond ?? 0) * 0.5);
		assert.equal(each.topology, record.environments()[0]?.topology);
		assert.ok(!isAlive(each.servicePid) && !isAlive(each.clientPid), "no process outlives its run");
		const { scheduledNs, receivedNs, scoreBits, bodyIndex, outcome } = record.requests(each.id);
		const single = record.singleScoreBits("gbt");
		for (const [i, at] of scheduledNs.entries()) {
			if (outcome[i] !== 0) continue;
			assert.ok((receivedNs[i] ?? 0) > at);
			assert.equal(scoreBits[i], single?.[bodyIndex[i] ?? -1]);
		}
	}
	const [one, other] = open.map((each) => record.requests(each.id));
	assert.deepEqual(one?.scheduledNs, other?.scheduledNs, "every setting meets the same arrivals");
	assert.deepEqual(one?.bodyIndex, other?.bodyIndex, "and the same requests");
	const batched = open.find((each) => each.setting === "b32w0");
	const batches = record.batches(batched?.id ?? 0);
	assert.equal(
		batches.size.reduce((sum, size) => sum + size, 0),
		batched?.counts.answered,
	);

	assert.deepEqual(
		record.designs().map(({ name, addedLater }) => [name, addedLater]),
		[["lab", false]],
	);
	assert.equal(record.guesses()[0]?.addedLater, false);
	assert.ok(record.starts().every((start) => start.ended === "finished"));
	assert.equal(record.bitChecks("gbt")[0]?.identical, true);
	const log = readFileSync(join(run.folder, "progress.log"), "utf8");
	assert.match(log, /RUN 3\/3 round 1, gbt (none|b32w0) at 0.5 S: [\d,]+\/s answered, p50 /);

	assert.match(
		readFileSync(join(folder, "console"), "utf8"),
		/^BATCHING-PROGRESS SCHEDULE 3 runs: about .*\n(BATCHING-PROGRESS RUN .*\n){3}$/,
	);

	const before = record.allRuns().length;
	const starts = record.starts().length;
	assert.deepEqual(await run.sweep(), summary);
	assert.equal(record.allRuns().length, before);
	assert.equal(record.starts().length, starts, "what is there needs no start");
});

test("each part of the workbook stands alone: saturation, the model alone and the machine", async (t) => {
	const run = await openTiny(scratch(t));
	t.after(() => run.close());
	const [saturation] = await run.saturation({ settings: ["none", "b32w0", "nomodel"] });
	const { none, b32w0, nomodel } = saturation?.settings ?? {};
	assert.ok((none?.answersPerSecond ?? 0) > 0 && none?.rounds.length === 1);
	assert.ok((b32w0?.meanBatch ?? 0) >= 1 && none?.meanBatch !== b32w0?.meanBatch);
	assert.equal(nomodel?.differingAnswers, 0);
	const rounds = await run.modelAlone("gbt");
	assert.deepEqual(
		rounds.map((round) => round.sizes.map((size) => size.size)),
		[[1, 4]],
	);
	assert.equal((await run.environment()).node, process.versions.node);
	const starts = run.record.starts().length;
	await run.modelAlone("gbt");
	await run.saturation({ settings: ["none"] });
	assert.equal(run.record.starts().length, starts);
	await assert.rejects(run.modelAlone("gtb"), { code: "UNKNOWN_MODEL", message: /"gtb"/ });
});

test("a record that is closed and opened by path tells the same", async (t) => {
	const run = await openTiny(scratch(t));
	await run.bitCheck("gbt");
	const path = run.record.path;
	const checks = run.record.bitChecks();
	run.close();
	const reader = openRecord(path);
	t.after(() => reader.close());
	assert.deepEqual(reader.bitChecks(), checks);
});

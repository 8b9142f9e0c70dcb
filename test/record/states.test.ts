import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createRecord, openRecord } from "batching-lab/record";
import { COLUMNS, newRun, result, START, scratch } from "./fixture.js";

test("a run that was begun and never finished stays visible, and the next start says what became of it", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = createRecord(path);
	const { id } = writer.beginRun(newRun(writer.addStart(START)));
	writer.close();

	const again = openRecord(path, { readonly: false });
	t.after(() => again.close());
	assert.equal(again.run(id).state, "started");
	assert.deepEqual(again.finishedRuns(), []);
	assert.throws(() => again.requests(id), { code: "UNKNOWN_RUN", message: /run 1 has no columns: it is started/ });
	const start = again.addStart(START);
	assert.equal(again.run(id).state, "interrupted");
	assert.equal(again.starts()[0]?.ended, null);

	const second = again.beginRun(newRun(start));
	assert.equal(second.attempt, 2);
	again.finishRun(second.id, result(), COLUMNS);
	assert.deepEqual(
		again.finishedRuns().map((run) => run.id),
		[second.id],
	);
	again.endStart(start, "finished");
	assert.equal(again.starts()[1]?.ended, "finished");
});

test("of a slot measured again, the last finished attempt counts and the earlier one stays", (t) => {
	const writer = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => writer.close());
	const start = writer.addStart(START);
	for (let attempt = 1; attempt <= 2; attempt++) {
		writer.finishRun(writer.beginRun(newRun(start)).id, result(), COLUMNS);
	}
	const failed = writer.beginRun(newRun(start));
	writer.failRun(failed.id, "failed", ["the service stopped"]);
	assert.deepEqual(
		writer.finishedRuns().map((run) => run.attempt),
		[2],
	);
	assert.deepEqual(
		writer.allRuns().map(({ state, superseded }) => [state, superseded]),
		[
			["finished", true],
			["finished", false],
			["failed", false],
		],
	);
	assert.throws(() => writer.finishRun(failed.id, result(), COLUMNS), { code: "RUN_NOT_OPEN" });
});

test("a reader beside a writer sees each run as it finishes, and cannot write", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = createRecord(path);
	const reader = openRecord(path);
	t.after(() => writer.close());
	t.after(() => reader.close());
	const start = writer.addStart(START);
	const { id } = writer.beginRun(newRun(start));
	assert.equal(reader.finishedRuns().length, 0);
	writer.finishRun(id, result(), COLUMNS);
	assert.equal(reader.finishedRuns().length, 1);
	assert.throws(() => reader.query("DELETE FROM run"), { code: "READ_ONLY" });
});

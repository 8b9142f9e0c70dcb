import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { changesSince, codeHash, type Identity } from "batching-lab/lab";
import { createRecord, type RecordWriter } from "batching-lab/record";
import { scratch } from "./scratch.js";

const ROOMS = ["base", "batcher", "client", "lab", "model", "record", "service", "shop", "stats", "charts"];

test("the code's hash is that of every room of a timed run, and of no other", (t) => {
	const root = scratch(t);
	for (const room of ROOMS) {
		mkdirSync(join(root, room, "deeper"), { recursive: true });
		writeFileSync(join(root, room, "deeper", "index.js"), `export const room = "${room}";\n`);
	}
	const before = codeHash(root);
	assert.equal(codeHash(root), before);
	appendFileSync(join(root, "charts", "deeper", "index.js"), "// another colour\n");
	writeFileSync(join(root, "service", "notes.txt"), "no code");
	assert.equal(codeHash(root), before);
	appendFileSync(join(root, "service", "deeper", "index.js"), "// one byte is enough\n");
	assert.notEqual(codeHash(root), before);
	assert.match(codeHash(), /^[0-9a-f]{64}$/);
});

const NOW: Identity = {
	codeHash: "c".repeat(64),
	modelHashes: { gbt: "a".repeat(64) },
	machine: "AMD EPYC, 2 cores, x64, linux",
};

function started(record: RecordWriter, codeHash: string, modelHashes: Record<string, string>): void {
	record.addStart({ pid: 1, host: "here", boot: "b", purpose: "sweep", codeHash, modelHashes });
}

test("a new record has no changes, one of the same code, models and machine neither", (t) => {
	const record = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => record.close());
	assert.deepEqual(changesSince(record, NOW), []);
	started(record, NOW.codeHash, NOW.modelHashes);
	assert.deepEqual(changesSince(record, NOW), []);
	started(record, NOW.codeHash, { ft: "f".repeat(64) });
	assert.deepEqual(changesSince(record, { ...NOW, modelHashes: { ...NOW.modelHashes, mlp: "0" } }), []);
});

test("other code, or a model that any earlier start knew with another hash, is named with both hashes", (t) => {
	const record = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => record.close());
	started(record, "d".repeat(64), { gbt: "b".repeat(64) });
	started(record, "e".repeat(64), {});
	assert.deepEqual(
		changesSince(record, NOW).map(({ what, text }) => [what, text]),
		[
			["code", "code eeeeeeeeeeee became cccccccccccc"],
			["model", "model gbt bbbbbbbbbbbb became aaaaaaaaaaaa"],
		],
	);
});

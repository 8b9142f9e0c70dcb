import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
	chmodSync,
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	statSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRecord, openRecord, SCHEMA_VERSION } from "batching-lab/record";
import Database from "better-sqlite3";
import { COLUMNS, newRun, result, START, scratch } from "./fixture.js";

test("a missing, foreign, newer or older file is named as such", (t) => {
	const folder = scratch(t);
	const at = (name: string) => join(folder, name);
	assert.throws(() => openRecord(at("none")), { code: "RECORD_MISSING", message: /there is no record at .*none/ });
	mkdirSync(at("folder"));
	assert.throws(() => openRecord(at("folder")), { code: "RECORD_MISSING" });
	writeFileSync(at("text"), "a text that is long enough to be looked at as if it were a database header ".repeat(20));
	assert.throws(() => openRecord(at("text")), { code: "NOT_A_RECORD", message: /no SQLite file/ });
	writeFileSync(at("empty"), "");
	assert.throws(() => openRecord(at("empty")), { code: "NOT_A_RECORD" });
	new Database(at("foreign")).exec("CREATE TABLE t (x)").close();
	assert.throws(() => openRecord(at("foreign")), { code: "NOT_A_RECORD", message: /not a record of the laboratory/ });

	createRecord(at("lab")).close();
	const raw = new Database(at("lab"));
	raw.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
	raw.close();
	assert.throws(() => openRecord(at("lab")), {
		code: "RECORD_VERSION",
		message: new RegExp(`has record version ${SCHEMA_VERSION + 1}; this code reads version ${SCHEMA_VERSION}`),
	});
});

test("a record that was cut off is damaged, not another kind of file", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = createRecord(path);
	for (let i = 0; i < 100; i++) writer.addNote("remark", "long ".repeat(200));
	writer.close();
	truncateSync(path, statSync(path).size / 2);
	for (const readonly of [true, false]) {
		const open = () => (readonly ? openRecord(path) : openRecord(path, { readonly: false }));
		assert.throws(open, { code: "RECORD_CORRUPT", exitCode: 1, message: /lab\.sqlite is cut off or damaged$/ });
	}
});

test("damage that only shows when a table is read is the same error", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = createRecord(path);
	for (let i = 0; i < 100; i++) writer.addNote("remark", "long ".repeat(200));
	writer.close();
	const file = openSync(path, "r+");
	const { size } = statSync(path);
	for (let at = 4096 * Math.ceil(size / 8192); at < size; at += 4096)
		writeSync(file, Buffer.alloc(64, 0xff), 0, 64, at);
	closeSync(file);
	const reader = openRecord(path);
	t.after(() => reader.close());
	assert.throws(() => reader.notes(), { code: "RECORD_CORRUPT", exitCode: 1 });
});

test("a record that somebody else has locked is busy, not another kind of file", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	createRecord(path).close();
	const other = new Database(path);
	t.after(() => other.close());
	other.exec("BEGIN EXCLUSIVE");
	assert.throws(() => openRecord(path), { code: "RECORD_BUSY", exitCode: 1, message: /another process is writing/ });
});

test("a record is there with its first content, or not at all", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const failing = () =>
		createRecord(path, (record) => {
			record.addNote("remark", "first");
			throw new Error("stopped here");
		});
	assert.throws(failing, { message: "stopped here" });
	assert.ok(!existsSync(path));
	createRecord(path, (record) => record.addDesign("lab", { rounds: 1 })).close();
	const reader = openRecord(path);
	t.after(() => reader.close());
	assert.deepEqual(reader.designs()[0]?.design, { rounds: 1 });
});

test("a record is never overwritten, and a closed one is a single file that reads from a folder nobody may write", (t) => {
	const folder = join(scratch(t), "run");
	const path = join(folder, "lab.sqlite");
	const writer = createRecord(path);
	assert.throws(() => createRecord(path), { code: "RECORD_EXISTS" });
	writer.finishRun(writer.beginRun(newRun(writer.addStart(START))).id, result(), COLUMNS);
	assert.ok(existsSync(`${path}-wal`));
	writer.close();
	assert.deepEqual(readdirSync(folder), ["lab.sqlite"]);
	chmodSync(folder, 0o555);
	try {
		const reader = openRecord(path);
		assert.equal(reader.finishedRuns().length, 1);
		reader.close();
	} finally {
		chmodSync(folder, 0o755);
	}
});

test("a record that a killed lab left in WAL mode reads from such a folder too", {
	skip: process.platform === "win32",
}, (t) => {
	const folder = scratch(t);
	const path = join(folder, "lab.sqlite");
	const writer = createRecord(path);
	writer.addNote("remark", "still there");
	writer.close();
	const raw = new Database(path);
	raw.pragma("journal_mode = WAL");
	raw.close();
	chmodSync(folder, 0o555);
	// SQLite's binding loads on first use, and the user "nobody" need not be allowed to read it: hence the empty database.
	const script = `import Database from "better-sqlite3";
		import { openRecord } from "batching-lab/record";
		new Database(":memory:").close();
		if (process.getuid() === 0) process.setuid(65534);
		console.log(openRecord(process.argv[1]).notes()[0].text);
		try { openRecord(process.argv[1], { readonly: false }) } catch (error) { console.log(error.code) }`;
	const args = ["--input-type=module", "--eval", script, path];
	const child = spawnSync(process.execPath, args, { encoding: "utf8", cwd: import.meta.dirname });
	chmodSync(folder, 0o755);
	assert.equal(child.stdout.trim(), "still there\nRECORD_FORBIDDEN", child.stderr);
});

test("a damaged column is an error that names it, never wrong numbers", (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = createRecord(path);
	const { id } = writer.beginRun(newRun(writer.addStart(START)));
	writer.finishRun(id, result(), COLUMNS);
	writer.close();
	const raw = new Database(path);
	raw.prepare("UPDATE run_column SET length = length - 1 WHERE name = 'status'").run();
	raw.prepare("UPDATE run_column SET data = x'00' WHERE family = 'batch' AND name = 'waitNs'").run();
	raw.close();
	const reader = openRecord(path);
	t.after(() => reader.close());
	assert.throws(() => reader.requests(id), {
		code: "RECORD_CORRUPT",
		message: /status of run 1 holds 8 bytes; 3 values/,
	});
	assert.throws(() => reader.batches(id), { code: "RECORD_CORRUPT", message: /waitNs of run 1/ });
	assert.throws(() => reader.run(99), {
		code: "UNKNOWN_RUN",
		message: "there is no run 99; the record has runs 1 to 1",
	});
});

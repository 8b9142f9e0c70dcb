import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { latestRun, makeRunFolder, pointLatest, runName, setAside } from "batching-lab/lab";
import { createRecord, openRecord } from "batching-lab/record";
import { scratch } from "./scratch.js";

test("a run's name sorts by date, and two runs of one second get folders of their own", (t) => {
	assert.equal(runName("quick", new Date(2026, 9, 4, 7, 5, 9)), "2026-10-04-070509-quick");
	const outputs = join(scratch(t), "outputs");
	const folders = [1, 2, 3].map(() => makeRunFolder(outputs, "quick"));
	assert.equal(new Set(folders).size, 3);
	assert.equal(readdirSync(outputs).length, 3);
});

test("latest points to the run that was made last, and to nothing when that is gone", (t) => {
	const outputs = scratch(t);
	assert.equal(latestRun(outputs), null);
	const one = makeRunFolder(outputs, "quick");
	pointLatest(outputs, one);
	assert.equal(latestRun(outputs), one);
	const other = makeRunFolder(outputs, "smoke");
	pointLatest(outputs, other);
	assert.equal(latestRun(outputs), other);
	rmSync(other, { recursive: true });
	assert.equal(latestRun(outputs), null);
	pointLatest(outputs, one);
	assert.equal(latestRun(outputs), one);
});

test("where links are not allowed, latest is a text file with the folder's name", (t) => {
	const outputs = scratch(t);
	const folder = makeRunFolder(outputs, "quick");
	writeFileSync(join(outputs, "latest"), `${basename(folder)}\n`);
	assert.equal(latestRun(outputs), folder);
});

test("a folder named latest is somebody's own and is left alone", (t) => {
	const outputs = scratch(t);
	mkdirSync(join(outputs, "latest"));
	assert.throws(() => pointLatest(outputs, makeRunFolder(outputs, "quick")), { code: "LATEST_IS_A_FOLDER" });
});

test("an old record is set aside under another name, with what a killed lab wrote last", (t) => {
	const folder = scratch(t);
	const killed = createRecord(join(folder, "lab.sqlite"));
	t.after(() => killed.close());
	killed.addNote("remark", "only in the write-ahead log yet");
	const aside = setAside(folder);
	assert.match(aside, /^lab\.before-\d{4}-\d{2}-\d{2}-\d{6}\.sqlite$/);
	assert.ok(!existsSync(join(folder, "lab.sqlite")));
	const reader = openRecord(join(folder, aside));
	t.after(() => reader.close());
	assert.equal(reader.notes()[0]?.text, "only in the write-ahead log yet");
	createRecord(join(folder, "lab.sqlite")).close();
	assert.notEqual(setAside(folder), aside);
});

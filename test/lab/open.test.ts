import assert from "node:assert/strict";
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openRun, takeLock } from "batching-lab/lab";
import { openRecord } from "batching-lab/record";
import { scratch } from "./scratch.js";
import { openTiny, tinyProfile } from "./tiny.js";

test("a record that a laboratory is filling is not set aside from under it", async (t) => {
	const folder = scratch(t);
	(await openTiny(folder)).close();
	const other = takeLock("the laboratory that fills it", join(folder, "lock"));
	const begin = () => openTiny(folder, { profile: tinyProfile({ rounds: 2 }), onChange: "set-aside" });
	await assert.rejects(begin(), { code: "LAB_BUSY", message: /the laboratory that fills it/ });
	assert.deepEqual(readdirSync(join(folder, "run")), ["lab.sqlite"]);
	other.release();
	const run = await begin();
	t.after(() => run.close());
	assert.equal(run.profile.rounds, 2);
	assert.equal(readdirSync(join(folder, "run")).length, 2);
});

test("what a killed laboratory left in a log beside its record is set aside with it", async (t) => {
	const folder = scratch(t);
	const run = await openTiny(folder);
	run.guess({ key: "s", text: "kept", value: 1 });
	const { path } = run.record;
	const killed = openRecord(path, { readonly: false });
	killed.addNote("remark", "in the log");
	const fresh = await openTiny(folder, { profile: tinyProfile({ rounds: 2 }), onChange: "set-aside" });
	killed.close();
	run.close();
	fresh.close();
	const aside = readdirSync(join(folder, "run")).find((name) => /^lab\.before-.*\.sqlite$/.test(name)) ?? "";
	const old = openRecord(join(folder, "run", aside));
	t.after(() => old.close());
	assert.deepEqual(
		old.notes().map(({ text }) => text),
		["in the log"],
	);
	const begun = openRecord(path);
	t.after(() => begun.close());
	assert.deepEqual(begun.notes(), []);
});

test("a folder that is named counts before the one in the environment, and so does a wish for a new one", async (t) => {
	const folder = scratch(t);
	process.env.WORKBOOK_RUN_DIR = join(folder, "elsewhere");
	t.after(() => {
		delete process.env.WORKBOOK_RUN_DIR;
	});
	const profile = tinyProfile();
	const named = await openTiny(folder);
	const ambient = await openRun({ profile, root: folder });
	const fresh = await openRun({ profile, root: folder, fresh: true });
	for (const run of [named, ambient, fresh]) run.close();
	assert.equal(named.folder, join(folder, "run"));
	assert.equal(ambient.folder, join(folder, "elsewhere"));
	assert.match(fresh.folder, /outputs.*-tiny$/);
});

test("a current run that is damaged is an error, and no reason to begin another one in silence", async (t) => {
	const folder = scratch(t);
	const profile = tinyProfile();
	const run = await openRun({ profile, root: folder });
	const { path } = run.record;
	run.close();
	truncateSync(path, 20_000);
	await assert.rejects(openRun({ profile, root: folder }), { code: "RECORD_CORRUPT", message: new RegExp(path) });
});

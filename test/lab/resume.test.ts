import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { takeLock } from "batching-lab/lab";
import Database from "better-sqlite3";
import { scratch } from "./scratch.js";
import { openTiny, tinyProfile } from "./tiny.js";

test("a record of other code is read but not continued, with both hashes shown, unless that is asked for", async (t) => {
	const folder = scratch(t);
	const run = await openTiny(folder);
	await run.bitCheck("gbt");
	const { path } = run.record;
	const own = run.record.starts().at(-1)?.codeHash ?? "";
	run.close();
	const tampered = new Database(path);
	tampered.prepare("UPDATE start SET code_hash = ?").run("d".repeat(64));
	tampered.close();

	const refused = await openTiny(folder);
	assert.equal((await refused.bitCheck("gbt")).identical, true, "what is there can be read");
	await assert.rejects(refused.modelAlone("gbt"), {
		code: "CODE_CHANGED",
		exitCode: 2,
		message: new RegExp(`code dddddddddddd became ${own.slice(0, 12)}`),
	});
	refused.close();

	const allowed = await openTiny(folder, { onChange: "allow" });
	assert.equal((await allowed.modelAlone("gbt")).length, 1);
	assert.match(allowed.record.notes()[0]?.text ?? "", /code dddddddddddd became/);
	allowed.close();
});

test("an old record is set aside by name when that is asked for, and the new one says where it is", async (t) => {
	const folder = scratch(t);
	const run = await openTiny(folder);
	await run.bitCheck("gbt");
	const { path } = run.record;
	run.close();
	const tampered = new Database(path);
	tampered.prepare("UPDATE start SET model_hashes = ?").run('{"gbt":"0000000000001111"}');
	tampered.close();
	const refused = await openTiny(folder);
	await assert.rejects(refused.modelAlone("gbt"), { code: "MODEL_CHANGED", message: /gbt 000000000000 became/ });
	refused.close();
	const fresh = await openTiny(folder, { onChange: "set-aside" });
	t.after(() => fresh.close());
	await fresh.modelAlone("gbt");
	assert.deepEqual(fresh.record.bitChecks(), [], "nothing of the old record is mixed in");
	assert.match(fresh.record.notes()[0]?.text ?? "", /lab\.before-.*\.sqlite: model gbt 000000000000 became/);
});

test("a folder that was begun with another design is refused, and opened as it is when no design is named", async (t) => {
	const folder = scratch(t);
	(await openTiny(folder)).close();
	await assert.rejects(openTiny(folder, { profile: tinyProfile({ rounds: 2 }) }), {
		code: "DESIGN_CHANGED",
		message: /begun with another design: [0-9a-f]{12} \(tiny\) became [0-9a-f]{12} \(tiny\)/,
	});
	const { profile: _, ...options } = { profile: null };
	const run = await openTiny(folder, { ...options, profile: tinyProfile() });
	assert.equal(run.profile.rounds, 1);
	run.close();
});

test("two laboratories on one machine refuse each other", async (t) => {
	const folder = scratch(t);
	const run = await openTiny(folder);
	t.after(() => run.close());
	const lock = takeLock("somebody else's sweep");
	await assert.rejects(run.bitCheck("gbt"), {
		code: "LAB_BUSY",
		message: new RegExp(`pid ${process.pid}, somebody else's sweep`),
	});
	lock.release();
	await run.bitCheck("gbt");
	assert.equal(run.record.bitChecks().length, 1);
	assert.equal(join(folder, "run"), run.folder);
});

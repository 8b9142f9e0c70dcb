import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { deflateSync, inflateSync } from "node:zlib";
import { computeNumbers, openSource } from "batching-lab/report";
import Database from "better-sqlite3";
import { makeLab, scratch } from "./lab.js";

test("every number of an honest record is the same when it is computed a second time", (t) => {
	const source = openSource(makeLab(scratch(t), { differing: 3 }));
	const computed = computeNumbers(source);
	source.close();
	assert.equal(computed.summarised, false);
	assert.ok(computed.checked > 3000, String(computed.checked));
	for (const key of [
		"alone/gbt/fixedUs",
		"bits/ft/worstSize",
		"saturation/ft/b32w0/timesS",
		"coreTime/gbt/none/restOfServiceUs",
		"sweep/ft/none/x1.6/p99Ms",
		"sweep/gbt/b32w0/highestKept",
		"pair/ft/b32w0~none/x0.5/p99Ms/toldApart",
		"aa/gbt/expected",
		"wait/gbt/x0.5/timedSlower",
		"answers/ft/differing",
		"quiet/canarySpreadPercent",
		"rule/luckPercent/5",
	]) {
		assert.ok(computed.numbers.has(key), key);
	}
});

/** Changes one value of one column of one run, as a hand would. */
function tamper(folder: string, family: string, name: string, change: (values: DataView) => void): void {
	const database = new Database(join(folder, "lab.sqlite"));
	const row = database
		.prepare(
			"SELECT run_column.rowid AS id, type, length, data FROM run_column JOIN run ON run.id = run_id WHERE family = ? AND name = ? AND kind = 'open' AND setting = 'b32w0' LIMIT 1",
		)
		.get(family, name);
	if (
		typeof row !== "object" ||
		row === null ||
		!("data" in row) ||
		!("type" in row) ||
		!("length" in row) ||
		!("id" in row)
	)
		throw new Error("no column");
	const { data, type, length, id } = row;
	if (!(data instanceof Uint8Array) || typeof type !== "string" || typeof length !== "number")
		throw new Error("odd column");
	const width = Number(type.slice(1));
	const planes = inflateSync(data);
	const bytes = new Uint8Array(planes.length);
	for (let i = 0; i < length; i++)
		for (let plane = 0; plane < width; plane++) bytes[i * width + plane] = planes[plane * length + i] ?? 0;
	change(new DataView(bytes.buffer));
	for (let i = 0; i < length; i++)
		for (let plane = 0; plane < width; plane++) planes[plane * length + i] = bytes[i * width + plane] ?? 0;
	database.prepare("UPDATE run_column SET data = ? WHERE rowid = ?").run(deflateSync(planes), id);
	database.close();
}

const small = { models: ["ft"], settings: ["none", "b32w0"], rateMultiples: [0.5], rounds: 1 } as const;

function refused(folder: string): string {
	const source = openSource(folder);
	try {
		computeNumbers(source);
		return "";
	} catch (error) {
		assert.ok(error instanceof Error && "code" in error && "exitCode" in error);
		assert.equal(error.code, "REPORT_DIFFERS");
		assert.equal(error.exitCode, 1);
		return error.message;
	} finally {
		source.close();
	}
}

test("one latency that was changed after the run stops the report, and the number is named", (t) => {
	const folder = makeLab(scratch(t), small);
	tamper(folder, "request", "receivedAfterNs", (values) => {
		for (let i = 0; i < 40; i++) values.setFloat64(i * 8, 5e9, true);
	});
	assert.match(refused(folder), /run\/\d+\/p99Ms: [\d.]+ against 5000/);
});

test("one single request that was made slow is seen, although no percentile moves", (t) => {
	const folder = makeLab(scratch(t), small);
	tamper(folder, "request", "receivedAfterNs", (values) => values.setFloat64(0, 30e9, true));
	assert.match(refused(folder), /answeredPerSecond/);
});

test("one score that is another by its last bit is seen", (t) => {
	const folder = makeLab(scratch(t), small);
	tamper(folder, "request", "scoreXor", (values) => values.setUint32(0, values.getUint32(0, true) ^ 1, true));
	assert.match(refused(folder), /run\/\d+\/differing: 0 against 1/);
});

test("one batch that is said to be larger is seen", (t) => {
	const folder = makeLab(scratch(t), small);
	tamper(folder, "batch", "size", (values) => values.setUint16(0, 31, true));
	assert.match(refused(folder), /meanBatch/);
});

test("a number that the lab wrote down wrong is seen", (t) => {
	const folder = makeLab(scratch(t), small);
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec("UPDATE run SET summary = json_set(summary, '$.p99Ms', 0.5) WHERE kind = 'open' AND setting = 'none'");
	database.close();
	assert.match(refused(folder), /p99Ms: 0\.5 against/);
});

test("a number in the record that the report cannot compute stops it too: nothing goes unchecked", (t) => {
	const folder = makeLab(scratch(t), small);
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec("UPDATE run SET summary = json_set(summary, '$.happiness', 12)");
	database.close();
	assert.match(refused(folder), /happiness: 12 against nothing/);
});

test("a folder without a record says what was looked for", (t) => {
	assert.throws(() => openSource(scratch(t)), {
		code: "RECORD_MISSING",
		message: /lab\.sqlite and .*lab-summary\.json\.gz/,
	});
});

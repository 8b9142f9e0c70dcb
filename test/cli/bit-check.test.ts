import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { prepareAssets } from "batching-lab/model";

const command = resolve(dirname(fileURLToPath(import.meta.resolve("batching-lab/base"))), "../../bin/workbook.js");
const dataDir = mkdtempSync(join(tmpdir(), "bit-check-"));
const env = { ...process.env, BATCHING_LAB_DATA: dataDir };
before(() => prepareAssets(dataDir));
after(() => rmSync(dataDir, { recursive: true }));

const workbook = (...args: string[]) =>
	spawnSync(process.execPath, [command, "bit-check", ...args], { encoding: "utf8", env });
const saved = join(dataDir, "scores.json");

test("gbt with one thread: all test rows, eleven sizes, the promised keys; the code says what the object says", () => {
	const { status, stdout } = workbook("--json");
	const result = JSON.parse(stdout);
	assert.equal(status, result.identical ? 0 : 1);
	assert.equal(result.model, "gbt");
	assert.equal(result.threads, 1);
	assert.equal(result.rows, 26_851);
	assert.ok(result.distinctScores > 10_000);
	assert.deepEqual(
		result.sizes.map(({ size }: { size: number }) => size),
		[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 26_851],
	);
	assert.deepEqual(Object.keys(result.sizes[0]), ["size", "differingRows", "maxUlp", "maxAbs"]);
	assert.equal(result.environment.threads, 1);
	assert.equal("singleRowScores" in result, false);
});

test("saved scores compare as equal on the same machine, and a changed bit is found", () => {
	const rows = ["--rows", "500", "--sizes", "2"];
	assert.equal(workbook(...rows, "--save", saved).status, 0);
	const same = workbook(...rows, "--compare", saved);
	assert.equal(same.status, 0);
	assert.match(same.stdout, /Equal to the other machine \(.*\) in all 500 rows/);
	const other = JSON.parse(readFileSync(saved, "utf8"));
	const last = Number.parseInt(other.float32Bits.slice(-1), 16) ^ 1;
	writeFileSync(saved, JSON.stringify({ ...other, float32Bits: other.float32Bits.slice(0, -1) + last.toString(16) }));
	const different = workbook(...rows, "--compare", saved);
	assert.equal(different.status, 1);
	assert.match(different.stdout, /Different from the other machine .* in 1 of 500 rows, by at most .* \(1 ULP\)/);
	assert.match(workbook("--rows", "400", "--compare", saved).stderr, /scored other rows/);
});

test("wrong usage: sizes twice, and a file that is not there", () => {
	const both = workbook("--every-size", "--sizes", "2");
	assert.equal(both.status, 2);
	assert.match(both.stderr, /--every-size and --sizes exclude each other/);
	const missing = workbook("--compare", join(dataDir, "none.json"));
	assert.equal(missing.status, 2);
	assert.match(missing.stderr, /none\.json/);
});

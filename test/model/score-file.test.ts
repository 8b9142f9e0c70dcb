import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { compareMachines, readScoreFile, rowsHash, type ScoreFile, writeScoreFile } from "batching-lab/model";

const folder = mkdtempSync(join(tmpdir(), "scores-"));
after(() => rmSync(folder, { recursive: true }));

const columns = { features: Float32Array.of(1, 2, 3) };
const here: ScoreFile = {
	model: "gbt",
	rowsSha256: rowsHash(columns),
	modelSha256: "a".repeat(64),
	madeOn: "linux x64",
	scores: Float32Array.of(0.1, 0.2, -0, 2 ** -149, 1e30),
};

test("a score file brings back every bit", () => {
	const path = join(folder, "scores.json");
	writeScoreFile(path, here);
	assert.deepEqual(readScoreFile(path), here);
});

test("machines are compared row by row", () => {
	const there = { ...here, madeOn: "linux arm64", scores: Float32Array.from(here.scores) };
	assert.deepEqual(compareMachines(here, there), {
		rows: 5,
		equal: true,
		other: "linux arm64",
		differingRows: 0,
		maxUlp: 0,
		maxAbs: 0,
	});
	there.scores[1] = 0.2 + 2 ** -25;
	const { equal, differingRows, maxUlp } = compareMachines(here, there);
	assert.deepEqual({ equal, differingRows, maxUlp }, { equal: false, differingRows: 1, maxUlp: 2 });
});

test("scores of another model, another file of it, or other rows are not compared", () => {
	const refused = { code: "SCORES_NOT_COMPARABLE", exitCode: 1 };
	assert.throws(() => compareMachines(here, { ...here, model: "ft" }), { ...refused, message: /ft there, gbt here/ });
	assert.throws(() => compareMachines(here, { ...here, modelSha256: "b".repeat(64) }), refused);
	assert.throws(() => compareMachines(here, { ...here, rowsSha256: "c".repeat(64) }), refused);
});

test("one changed value changes the rows' hash; the order of columns does not", () => {
	assert.notEqual(rowsHash({ features: Float32Array.of(1, 2, 4) }), here.rowsSha256);
	const a = Float32Array.of(1);
	const b = Float32Array.of(2);
	assert.equal(rowsHash({ a, b }), rowsHash({ b, a }));
});

test("no file, and files that are no score files", () => {
	const path = join(folder, "other.json");
	assert.throws(() => readScoreFile(path), { code: "SCORE_FILE_MISSING", message: /other\.json/ });
	for (const text of ["{", "{}", JSON.stringify({ format: 1, float32Bits: "xyz" })]) {
		writeFileSync(path, text);
		assert.throws(() => readScoreFile(path), { code: "SCORE_FILE_FOREIGN" });
	}
});

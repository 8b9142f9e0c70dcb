import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { computeNumbers, makeReport, openSource, SUMMARISED_FILE, writeSummarised } from "batching-lab/report";
import { makeLab, scratch } from "./lab.js";

function summarised(t: Parameters<typeof scratch>[0]): { folder: string; path: string } {
	const folder = makeLab(scratch(t), { models: ["ft"], rounds: 2 });
	const source = openSource(folder);
	const path = join(folder, SUMMARISED_FILE);
	writeSummarised(source, path);
	source.close();
	return { folder, path };
}

test("a summarised copy gives the same numbers, is far smaller, and says what it is at each of them", (t) => {
	const { folder, path } = summarised(t);
	const source = openSource(folder);
	const whole = computeNumbers(source);
	source.close();
	const copy = makeReport(openSource(path));
	assert.equal(copy.summarised, true);
	for (const [key, value] of whole.numbers) assert.equal(copy.numbers.get(key), value, key);
	assert.ok(statSync(path).size * 5 < statSync(join(folder, "lab.sqlite")).size);
	const headline = copy.sections.find(({ id }) => id === "headline")?.markdown ?? "";
	assert.match(headline, /data-key="sweep\/ft\/none\/x0\.5\/p99Ms"[^>]*>≈ [\d.]+ ms/);
});

/** Writes the copy again with its first match of `pattern` changed. */
function change(path: string, pattern: RegExp, to: (value: number) => number): void {
	const text = gunzipSync(readFileSync(path)).toString("utf8");
	const changed = text.replace(pattern, (_, before: string, value: string) => before + to(Number(value)));
	assert.notEqual(changed, text);
	writeFileSync(path, gzipSync(changed));
}

test("a percentile in a summarised copy that its histogram does not bear out stops the report", (t) => {
	const { path } = summarised(t);
	change(path, /("summary":\{[^}]*"p99Ms":)([\d.]+)/, (ms) => ms * 1.01);
	assert.throws(() => computeNumbers(openSource(path)), { code: "REPORT_DIFFERS", exitCode: 1, message: /p99Ms/ });
});

test("only percentiles are read from bins: a count that is off by one answer stops the report", (t) => {
	const { path } = summarised(t);
	change(path, /("count":)(\d+)(?=,"sum")/, (count) => count + 1);
	assert.throws(() => computeNumbers(openSource(path)), { code: "REPORT_DIFFERS", message: /answered: \d+ against/ });
});

test("other files, other versions and a copy of a copy are refused by name", (t) => {
	const { folder, path } = summarised(t);
	assert.throws(() => writeSummarised(openSource(path), join(folder, "again.gz")), { code: "ALREADY_SUMMARISED" });
	const text = gunzipSync(readFileSync(path)).toString("utf8");
	writeFileSync(path, gzipSync(text.replace('"version":1', '"version":9')));
	assert.throws(() => openSource(path), { code: "RECORD_VERSION", message: /version 9; this code reads version 1/ });
	writeFileSync(path, gzipSync("{}"));
	assert.throws(() => openSource(path), { code: "NOT_A_RECORD" });
	writeFileSync(path, "no gzip");
	assert.throws(() => openSource(path), { code: "NOT_A_RECORD" });
});

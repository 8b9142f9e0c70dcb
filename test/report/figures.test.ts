import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeReport, openSource, ReportFigures, writeSummarised } from "batching-lab/report";
import { makeLab, scratch } from "./lab.js";

test("a report's charts show the report's own numbers", (t) => {
	const source = openSource(makeLab(scratch(t), { rounds: 2 }));
	const report = makeReport(source);
	const figures = new ReportFigures(report, source);
	assert.deepEqual(figures.models, ["ft", "gbt"]);
	const curve = figures.latencyByRate("ft");
	const b32w0 = curve.data.find(({ name }) => name === "b32w0");
	const expected = [0.5, 1.6].map((rate) => report.numbers.get(`sweep/ft/b32w0/x${rate}/p99Ms`) ?? 0);
	assert.deepEqual(
		b32w0?.y,
		expected.map((ms) => Number(ms.toPrecision(4))),
	);
	assert.match(figures.costOfARow().alt, /gbt: 1[0-9.]* µs a row in batches of 1/);
	assert.match(figures.saturation("gbt").alt, /none [\d,]+/);
	assert.match(figures.coreTime("gbt").alt, /client 35/);
	assert.match(figures.priceOfWait("gbt").alt, /b32w2 1\.\d+ ms/);
	assert.match(figures.paired("ft").alt, /seen in 2 of 2 rounds/);
	assert.match(figures.heatMap("ft", 1.6).alt, /B 32, W 2 ms/);
	assert.match(figures.flushReasons("gbt").alt, /b32w2 at 0\.5 S: .*timer/);
	assert.match(figures.batchSizes("ft", "b32w0")?.alt ?? "", /mean [\d.]+ rows/);
	assert.match(figures.distribution("ft")?.alt ?? "", /none: half within/);
	assert.match(figures.canary().alt, /0 of \d+ belong to runs that drifted/);
	source.close();
});

test("from a summarised copy the charts that need single requests are left out, the others are the same", (t) => {
	const folder = scratch(t);
	const source = openSource(makeLab(join(folder, "a"), { rounds: 1, models: ["ft"] }));
	const path = join(folder, "lab-summary.json.gz");
	writeSummarised(source, path);
	const copy = openSource(path);
	const [whole, small] = [source, copy].map((one) => new ReportFigures(makeReport(one), one));
	source.close();
	assert.equal(small?.distribution("ft"), null);
	assert.equal(small?.batchSizes("ft", "b32w0"), null);
	assert.deepEqual(small?.latencyByRate("ft"), whole?.latencyByRate("ft"));
});

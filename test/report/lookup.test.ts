import assert from "node:assert/strict";
import { test } from "node:test";
import { lookUp, lookupBox, lookupEntries, makeReport, openSource } from "batching-lab/report";
import { JSDOM } from "jsdom";
import { makeLab, scratch } from "./lab.js";

function reportOf(t: Parameters<typeof scratch>[0]) {
	const source = openSource(makeLab(scratch(t), { rounds: 2, settings: ["none", "b8w0", "b32w0", "b32w2"] }));
	const report = makeReport(source);
	source.close();
	return report;
}

test("a point is shown with none at the same rate first", (t) => {
	const report = reportOf(t);
	const { found, lines } = lookUp(lookupEntries(report), {
		model: "ft",
		maxBatchSize: 32,
		maxWaitMs: 0,
		rateMultiple: 1.6,
	});
	assert.equal(found, true);
	assert.match(
		lines[0] ?? "",
		/^none at 1\.6 S .*kept up in 0 of 2 - the queue grows, so these latencies are no stable numbers$/,
	);
	assert.match(
		lines[1] ?? "",
		/^b32w0 at 1\.6 S \(\d+ requests a second\): p50 [\d.]+ ms, p99 [\d.]+ ms, \d+ answers a second, [\d.]+ rows a batch, kept up in 2 of 2$/,
	);
});

test("what was not run says what there is", (t) => {
	const entries = lookupEntries(reportOf(t));
	const ask = (question: object) =>
		lookUp(entries, { model: "ft", maxBatchSize: 32, maxWaitMs: 0, rateMultiple: 1.6, ...question });
	assert.match(
		ask({ maxWaitMs: 7 }).lines[1] ?? "",
		/B 32 with W 7 ms was not run at that rate; there are B 8 with W 0; B 32 with W 0; B 32 with W 2\./,
	);
	assert.match(ask({ rateMultiple: 3 }).lines[0] ?? "", /Rate 3 S was not run with ft; there are 0\.5, 1\.6\./);
	assert.match(ask({ model: "mlp" }).lines[0] ?? "", /There is no model mlp here; there are ft, gbt\./);
	assert.equal(ask({ model: "mlp" }).found, false);
});

test("the box tests itself on six points before it is given out", (t) => {
	const report = reportOf(t);
	assert.equal(lookupBox(report).selfTests, 6);
	const stale = lookupEntries(report).map((entry) => ({ ...entry, p99Ms: (entry.p99Ms ?? 0) * 1.02 }));
	assert.throws(() => lookupBox(report, stale), {
		code: "LOOKUP_SELF_TEST",
		exitCode: 1,
		message: /not what the report computed/,
	});
});

test("in a page the box answers as soon as it is shown, and again when a dial is turned", (t) => {
	const { html } = lookupBox(reportOf(t));
	const { document, Event } = new JSDOM(`<body>${html}</body>`, { runScripts: "dangerously" }).window;
	const text = () => document.querySelector("pre")?.textContent ?? "";
	assert.match(text(), /^none at 0\.5 S/);
	const rate = document.querySelector<HTMLSelectElement>('select[data-dial="rateMultiple"]');
	assert.ok(rate);
	rate.value = "1.6";
	rate.dispatchEvent(new Event("change", { bubbles: true }));
	assert.match(text(), /^none at 1\.6 S/);
});

test("where scripts are not run the box says so, with the command that answers instead", (t) => {
	const { html } = lookupBox(reportOf(t));
	const { document } = new JSDOM(`<body>${html}</body>`).window;
	assert.match(document.querySelector("pre")?.textContent ?? "", /scripts are not run.*npx workbook lookup/);
});

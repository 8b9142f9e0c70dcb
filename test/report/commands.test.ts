import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { makeLab, scratch } from "./lab.js";

const WORKBOOK = fileURLToPath(new URL("../../../lib/bin/workbook.js", import.meta.url));

function workbook(...words: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [WORKBOOK, ...words], { encoding: "utf8" });
	return { status, stdout, stderr };
}

function lab(t: Parameters<typeof scratch>[0]): string {
	return makeLab(scratch(t), { models: ["ft"], settings: ["none", "b32w0"], rounds: 1 });
}

test("report prints every section, one of them, or one object", (t) => {
	const folder = lab(t);
	const all = workbook("report", folder);
	assert.equal(all.status, 0);
	assert.match(
		all.stdout,
		/numbers, each computed twice with the same result\n\nThe answer in short\n[\s\S]*\nLatency by arrival rate\n/,
	);
	const one = workbook("report", folder, "--only", "limits");
	assert.doesNotMatch(one.stdout, /Latency by arrival rate/);
	const { status, stdout } = workbook("report", folder, "--json");
	assert.equal(status, 0);
	const object: { numbers: Record<string, number>; sections: unknown[] } = JSON.parse(stdout);
	assert.ok((object.numbers["sweep/ft/b32w0/x0.5/p99Ms"] ?? 0) > 0);
	assert.ok(object.sections.length > 10);
});

test("a record that was changed by hand gives exit code 1, and nothing is reported", (t) => {
	const folder = lab(t);
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec(
		"UPDATE run SET summary = json_set(summary, '$.p99Ms', 0.5) WHERE id = (SELECT min(id) FROM run WHERE kind = 'open')",
	);
	database.close();
	for (const words of [
		["report"],
		["factcheck"],
		["lookup", "--max-batch-size", "32", "--max-wait-ms", "0", "--rate-multiple", "0.5"],
	]) {
		const [command = "", ...rest] = words;
		if (command === "factcheck") writeFileSync(join(folder, "a.ipynb"), '{"cells":[]}');
		const { status, stdout, stderr } = workbook(command, folder, ...rest);
		assert.equal(status, 1, command);
		assert.equal(stdout, "", command);
		assert.match(stderr, /do not agree: run\/\d+\/p99Ms: 0\.5 against/, command);
	}
});

test("report of two folders puts them side by side, and a summarised copy stands for its record", (t) => {
	const folder = lab(t);
	const copy = join(folder, "lab-summary.json.gz");
	assert.equal(workbook("report", folder, "--summarise", copy).status, 0);
	const { status, stdout } = workbook("report", folder, copy);
	assert.equal(status, 0);
	assert.match(stdout, /saturation\/ft\/none\/answersPerSecond/);
	assert.match(workbook("report", copy).stdout, /from a summarised copy/);
});

test("factcheck passes honest notebooks, and fails one number without a key with its place", (t) => {
	const folder = lab(t);
	const notebook = (source: string) =>
		writeFileSync(join(folder, "01.ipynb"), JSON.stringify({ cells: [{ cell_type: "markdown", source: [source] }] }));
	notebook('It keeps up at <span data-key="rule/keepsUpPercent">95 %</span>.');
	assert.equal(workbook("factcheck", folder).status, 0);
	notebook("It was 7 times faster.");
	const { status, stdout } = workbook("factcheck", folder);
	assert.equal(status, 1);
	assert.match(stdout, /01\.ipynb, cell 1 \(text\): "7" carries no key/);
});

test("lookup shows none first, and says what there is instead of an unknown point", (t) => {
	const folder = lab(t);
	const dials = (wait: string) => ["--max-batch-size", "32", "--max-wait-ms", wait, "--rate-multiple", "1.6"];
	const found = workbook("lookup", folder, ...dials("0"));
	assert.equal(found.status, 0);
	assert.match(found.stdout, /^ft\n {2}none at 1\.6 S .*\n {2}b32w0 at 1\.6 S /);
	const missing = workbook("lookup", folder, ...dials("9"), "--json");
	assert.equal(missing.status, 2);
	assert.match(missing.stdout, /"code": "NOT_MEASURED"/);
	assert.match(missing.stderr, /B 32 with W 9 ms was not run at that rate; there are B 32 with W 0/);
});

test("a folder without a record, and without notebooks, is wrong usage with one clear line", (t) => {
	const empty = scratch(t);
	const { status, stderr } = workbook("report", empty);
	assert.equal(status, 2);
	assert.match(stderr, /^workbook: no record in /m);
	assert.match(workbook("factcheck", lab(t)).stderr, /there is no executed notebook/);
});

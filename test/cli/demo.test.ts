import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const command = resolve(dirname(fileURLToPath(import.meta.resolve("batching-lab/base"))), "../../bin/workbook.js");
const folder = mkdtempSync(join(tmpdir(), "demo-"));
after(() => rmSync(folder, { recursive: true }));

function workbook(args: readonly string[], nodeOptions = "") {
	const env = { ...process.env, BATCHING_LAB_DATA: join(folder, "data"), NODE_OPTIONS: nodeOptions };
	return spawnSync(process.execPath, [command, ...args], { encoding: "utf8", env, maxBuffer: 1 << 26 });
}

/** Options for a Node in which a package is not installed. */
function without(missing: string): string {
	const hooks = `export async function resolve(name, context, next) {
		if (name === ${JSON.stringify(missing)})
			throw Object.assign(new Error("Cannot find package '" + name + "' imported from " + context.parentURL), { code: "ERR_MODULE_NOT_FOUND" });
		return next(name, context);
	}`;
	const url = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
	return `--import=${url(`import { register } from "node:module"; register(${JSON.stringify(url(hooks))});`)}`;
}

interface DemoModel {
	readonly model: string;
	readonly costs: readonly { readonly size: number; readonly us: number }[];
	readonly bits: { readonly rows: number; readonly distinctScores: number; readonly identical: boolean };
	readonly callers: {
		readonly oneByOnePerSecond: number;
		readonly batchedPerSecond: number;
		readonly meanBatch: number;
	};
}

test("the machine comes first, then times, bits and the tiny batcher; --save keeps all of it", () => {
	const file = join(folder, "demo.json");
	const { status, stdout } = workbook(["demo", "--save", file]);
	assert.equal(status, 0);
	assert.match(stdout, /^CPUs: \d+ × .*load/);
	assert.match(stdout.split("\n")[1] ?? "", /times below are from this machine/);
	for (const part of [/µs a call, at rows\s+1\s+8\s+32\s+1,024/, /bits the same/, /one call each\s+batched\s+gain/])
		assert.match(stdout, part);
	const saved: { models: readonly DemoModel[]; environment: { cores: number } } = JSON.parse(
		readFileSync(file, "utf8"),
	);
	assert.ok(saved.environment.cores >= 1);
	assert.deepEqual(
		saved.models.map(({ model }) => model),
		["gbt", "ft"],
	);
	for (const { costs, bits, callers } of saved.models) {
		assert.deepEqual(
			costs.map(({ size }) => size),
			[1, 8, 32, 1024],
		);
		assert.ok(costs.every(({ us }) => us > 0));
		assert.ok(bits.distinctScores > bits.rows / 2);
		assert.ok(callers.oneByOnePerSecond > 0 && callers.batchedPerSecond > 0);
		assert.ok(callers.meanBatch > 1 && callers.meanBatch <= 32);
	}
});

test("a missing package gives one line and stops", () => {
	for (const missing of ["onnxruntime-node", "better-sqlite3"]) {
		const { status, stdout, stderr } = workbook(["demo"], without(missing));
		assert.equal(status, 1);
		assert.equal(stdout, "");
		assert.match(stderr, new RegExp(`^workbook: the package ${missing} .*npm ci installs it\\n$`));
	}
});

test("a file that cannot be written is named", () => {
	const { status, stderr } = workbook(["demo", "--save", join(folder, "no", "such", "folder.json")]);
	assert.equal(status, 2);
	assert.match(stderr, /cannot be written.*folder\.json/);
});

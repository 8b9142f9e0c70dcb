import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { affineModel, type SimulatedSweepOptions, simulateSweep } from "batching-lab/sim";

/** The ft model of the workbook: a call costs 82 µs and 16 more a row, a request 140 beside it. */
const base: SimulatedSweepOptions = {
	server: { modelNs: affineModel({ fixedUs: 82, perRowUs: 16 }), beforeUs: 70, afterUs: 70 },
	settings: [
		{ name: "none", batcher: "none" },
		{ name: "b32w0", batcher: { maxBatchSize: 32, maxWaitMs: 0 } },
		{ name: "b32w2", batcher: { maxBatchSize: 32, maxWaitMs: 2 } },
	],
	rateMultiples: [0.5, 1.25],
	seconds: 2,
	rounds: 3,
	seed: 5,
};

test("S is what one core can do without batching, and rates are multiples of it", () => {
	const { saturationPerSecond, points } = simulateSweep(base);
	assert.ok(Math.abs(saturationPerSecond - 1e6 / 238) < 10);
	assert.deepEqual(
		points.map(({ setting, rateMultiple }) => [setting, rateMultiple]),
		["none", "b32w0", "b32w2"].flatMap((setting) => [0.5, 1.25].map((multiple) => [setting, multiple])),
	);
	for (const { rateMultiple, ratePerSecond } of points) {
		assert.equal(ratePerSecond, rateMultiple * saturationPerSecond);
	}
});

test("above S only the batched settings keep up; at half of S a timed wait costs the median its wait", () => {
	const { points } = simulateSweep(base);
	const at = (setting: string, multiple: number) => {
		const found = points.find((point) => point.setting === setting && point.rateMultiple === multiple);
		assert.ok(found !== undefined && found.p50Ms !== null && found.p99Ms !== null);
		return { ...found, p50Ms: found.p50Ms, p99Ms: found.p99Ms };
	};
	assert.deepEqual([at("none", 1.25).keptUp, at("b32w0", 1.25).keptUp, at("b32w2", 1.25).keptUp], [0, 3, 3]);
	assert.ok(at("b32w0", 1.25).p99Ms < at("none", 1.25).p99Ms / 20);
	assert.ok(at("b32w2", 0.5).p50Ms > at("b32w0", 0.5).p50Ms + 1);
	assert.ok(at("b32w2", 0.5).meanBatch > at("b32w0", 0.5).meanBatch);
});

test("the same seed gives the same sweep, another one another", () => {
	assert.deepEqual(simulateSweep(base), simulateSweep(base));
	assert.notDeepEqual(simulateSweep(base).points, simulateSweep({ ...base, seed: 6 }).points);
});

test("progress runs from nothing to everything", () => {
	const seen: number[] = [];
	simulateSweep({ ...base, rounds: 1, onProgress: ({ done, total }) => seen.push(done / total) });
	assert.deepEqual([seen[0], seen.at(-1), seen.length], [0, 1, 7]);
});

test("an empty sweep and a rate of nothing are refused", () => {
	assert.throws(() => simulateSweep({ ...base, settings: [] }), { code: "BAD_SWEEP" });
	assert.throws(() => simulateSweep({ ...base, rateMultiples: [0.5, 0] }), { code: "BAD_SWEEP", message: /got 0/ });
	assert.throws(() => simulateSweep({ ...base, rounds: 0 }), { code: "BAD_SWEEP" });
});

const bin = resolve(dirname(fileURLToPath(import.meta.resolve("batching-lab/base"))), "../../bin/workbook.js");
const workbook = (...args: string[]) =>
	spawnSync(process.execPath, [bin, "simulate", ...args], { encoding: "utf8", timeout: 60_000 });
const costs = ["--fixed-us", "82", "--per-row-us", "16", "--request-us", "140"];

test("workbook simulate --json prints one object with calibration, seed and points", () => {
	const { status, stdout } = workbook(
		...costs,
		"--setting",
		"none,b8w0",
		"--rate-multiple",
		"0.5",
		"--seconds",
		"1",
		"--json",
	);
	assert.equal(status, 0);
	const { calibration, seed, points } = JSON.parse(stdout);
	assert.deepEqual(calibration, { fixedUs: 82, perRowUs: 16, requestUs: 140, batchUs: 0 });
	assert.equal(seed, 1);
	assert.deepEqual(
		points.map(({ setting }: { setting: string }) => setting),
		["none", "b8w0"],
	);
	for (const key of ["rateMultiple", "ratePerSecond", "p50Ms", "p99Ms", "answeredPerSecond", "meanBatch"]) {
		assert.equal(typeof points[0][key], "number", key);
	}
});

test("workbook simulate says in its first word that nothing was measured", () => {
	const { status, stdout } = workbook(...costs, "--seconds", "1", "--rounds", "1");
	assert.equal(status, 0);
	assert.match(stdout, /^Simulated, not measured/);
	assert.match(stdout, /b32w2 +2 /);
});

test("workbook simulate refuses what cannot be simulated, with exit code 2", () => {
	const refused = workbook(...costs, "--setting", "nomodel");
	assert.equal(refused.status, 2);
	assert.match(refused.stderr, /nomodel has no model/);
	assert.equal(workbook("--fixed-us", "1").status, 2);
});

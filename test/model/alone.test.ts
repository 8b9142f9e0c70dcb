import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
	type AloneConfig,
	callPoints,
	defaultPin,
	encodeModel,
	measureModelAlone,
	prepareAssets,
	startAlone,
} from "batching-lab/model";

const dataDir = mkdtempSync(join(tmpdir(), "alone-"));
before(() => prepareAssets(dataDir));
after(() => rmSync(dataDir, { recursive: true }));

const config: AloneConfig = { dataDir, model: "gbt", order: [4, 1], calls: 3, budgetMs: 50, seed: 1, threads: 1 };

test("every round is a fresh process with an order of its own, and counts no more calls than it may", async () => {
	const texts: string[] = [];
	const result = await measureModelAlone({
		dataDir,
		model: "gbt",
		rounds: 3,
		calls: 7,
		budgetMs: 20,
		onProgress: ({ done, total, text }) => texts.push(`${done}/${total} ${text}`),
	});
	assert.equal(result.rowsFrom, "test rows of the shop");
	assert.equal(new Set(result.rounds.map(({ pid }) => pid)).size, 3);
	assert.equal(new Set(result.rounds.map(({ order }) => order.join())).size, 3);
	for (const { order, sizes } of result.rounds) {
		assert.deepEqual(
			sizes.map(({ size }) => size),
			[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
		);
		assert.deepEqual(
			[...order].sort((a, b) => a - b),
			sizes.map(({ size }) => size),
		);
		for (const { calls, minNs, p25Ns, p50Ns, p75Ns, p99Ns, meanNs } of sizes) {
			assert.ok(calls >= 5 && calls <= 7);
			assert.ok(0 < minNs && minNs <= p25Ns && p25Ns <= p50Ns && p50Ns <= p75Ns && p75Ns <= p99Ns);
			assert.ok(minNs <= meanNs);
		}
	}
	assert.equal(callPoints(result).length, 33);
	assert.match(String(texts[0]), /^0\/33 gbt, round 1 of 3: loading/);
	assert.match(String(texts.at(-1)), /^33\/33 gbt, round 3 of 3/);
});

test("a slow size ends with its time budget, after five calls", async () => {
	const { rounds } = await measureModelAlone({
		dataDir,
		model: "ft",
		sizes: [1, 1024],
		rounds: 1,
		calls: 500,
		budgetMs: 1,
	});
	assert.equal(rounds[0]?.sizes[1]?.calls, 5);
});

test("the process imports model code only: no server, no client, no batcher", () => {
	const dist = resolve(dirname(fileURLToPath(import.meta.resolve("batching-lab/model"))), "..");
	const seen = new Set<string>();
	const visit = (file: string): void => {
		if (seen.has(file)) return;
		seen.add(file);
		for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g))
			visit(resolve(dirname(file), path));
	};
	visit(join(dist, "model", "alone", "child.js"));
	const rooms = new Set([...seen].map((file) => relative(dist, file).split(sep)[0]));
	assert.deepEqual([...rooms].sort(), ["base", "model", "shop"]);
});

test("a user's own model is timed on made-up rows of its own shape", async () => {
	const path = join(dataDir, "own.onnx");
	const model = encodeModel({
		opsets: [{ domain: "", version: 17 }],
		graph: {
			name: "own",
			inputs: [
				{ name: "a", type: "float64", dims: ["n", 3] },
				{ name: "b", type: "int64", dims: ["n", 3] },
			],
			initializers: [{ name: "axes", dims: [1], values: BigInt64Array.of(1n) }],
			nodes: [
				{ opType: "Cast", inputs: ["b"], outputs: ["c"], attributes: { to: { int: 11 } } },
				{ opType: "Add", inputs: ["a", "c"], outputs: ["d"] },
				{ opType: "ReduceSum", inputs: ["d", "axes"], outputs: ["score"] },
			],
			outputs: [{ name: "score", type: "float64", dims: ["n", 1] }],
		},
	});
	writeFileSync(path, model);
	// More rows a call than were made up: they are taken again.
	const result = await measureModelAlone({
		dataDir,
		model: path,
		sizes: [1, 10_000],
		rounds: 1,
		calls: 2,
		budgetMs: 20,
	});
	assert.equal(result.model, "own");
	assert.match(result.rowsFrom, /made-up rows/);
	assert.deepEqual(
		result.rounds[0]?.sizes.map(({ size, calls }) => [size, calls]),
		[
			[1, 2],
			[10_000, 2],
		],
	);
});

test("with one thread the process has no pool; with three it has two threads more", async () => {
	const threadsOf = async (threads: number) => {
		const alone = await startAlone({ ...config, threads }, null);
		const tasks = `/proc/${alone.pid}/task`;
		const count = existsSync(tasks) ? readdirSync(tasks).length : threads;
		alone.stop();
		return count;
	};
	assert.equal((await threadsOf(3)) - (await threadsOf(1)), 2);
});

test("where there are several cores the process is on the one it was given", async () => {
	const pin = defaultPin();
	const alone = await startAlone(config, pin);
	const status = `/proc/${alone.pid}/status`;
	if (pin !== null) assert.equal(/^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(status, "utf8"))?.[1], pin);
	assert.deepEqual(
		(await alone.run()).map(({ size }) => size),
		[4, 1],
	);
	alone.stop();
});

test("what goes wrong in the process is told by the parent", async () => {
	const path = join(dataDir, "broken.onnx");
	writeFileSync(path, "no model");
	await assert.rejects(startAlone({ ...config, model: path }, null), { code: "BAD_MODEL_FILE", exitCode: 1 });
	await assert.rejects(measureModelAlone({ dataDir, model: "gtb" }), {
		code: "UNKNOWN_MODEL",
		message: /gbt, ft, mlp/,
	});
	await assert.rejects(measureModelAlone({ dataDir, model: "gbt", rounds: 0 }), {
		code: "BAD_OPTION",
		message: /rounds.*got 0/,
	});
	await assert.rejects(measureModelAlone({ dataDir, model: "gbt", sizes: [1.5] }), {
		code: "BAD_OPTION",
		message: /got 1.5/,
	});
});

test("a killed process ends the measurement at once, and so does an abort", async () => {
	const killed = await startAlone({ ...config, calls: 1e6, budgetMs: 1e6 }, null);
	const run = killed.run();
	process.kill(killed.pid, "SIGKILL");
	await assert.rejects(run, { code: "ALONE_FAILED", message: /SIGKILL/, exitCode: 1 });

	const controller = new AbortController();
	const aborted = await startAlone({ ...config, calls: 1e6, budgetMs: 1e6 }, null, controller.signal);
	const endless = aborted.run();
	controller.abort();
	await assert.rejects(endless, { code: "INTERRUPTED", exitCode: 130 });
	await assert.rejects(startAlone(config, null, controller.signal), { code: "INTERRUPTED" });
});

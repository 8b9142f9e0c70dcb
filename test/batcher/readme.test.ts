import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BATCHER_ERROR_CODES, FLUSH_REASONS, MicroBatcher } from "batching-lab/batcher";
import Fastify from "fastify";

const library = dirname(fileURLToPath(import.meta.resolve("batching-lab/package.json")));
const readme = readFileSync(resolve(library, "batcher/README.md"), "utf8");
const tests = resolve(library, "../test/batcher");
const sources = readdirSync(tests)
	.filter((file) => file.endsWith(".test.ts"))
	.map((file) => readFileSync(resolve(tests, file), "utf8"))
	.join("\n");

/** The cells of the table under a heading, without head and rule. */
function tableUnder(heading: string): string[][] {
	const section = readme.split(`## ${heading}`)[1]?.split("\n## ")[0] ?? "";
	const lines = section.split("\n").filter((line) => line.startsWith("|"));
	return lines.slice(2).map((line) =>
		line
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

test("every complaint of the README has the test that it names", () => {
	const rows = tableUnder("Complaints it answers");
	assert.ok(rows.length >= 7);
	for (const [complaint, name] of rows)
		assert.ok(sources.includes(`test("${name}"`), `${complaint}: no test "${name}"`);
});

test("the README's tables name every error code and every flush reason", () => {
	const codes = tableUnder("In your own service").flatMap(([code = ""]) => code.match(/[A-Z_]{3,}/g) ?? []);
	assert.deepEqual(codes.sort(), [...BATCHER_ERROR_CODES].sort());
	const reasons = tableUnder("When a batch leaves").slice(0, FLUSH_REASONS.length);
	assert.deepEqual(
		reasons.map(([reason]) => reason),
		FLUSH_REASONS.map((reason) => `\`${reason}\``),
	);
});

test("the README's lines for Fastify work, and requests share batches", async () => {
	const sizes: number[] = [];
	const score = (rows: readonly { readonly x: number }[]): number[] => {
		sizes.push(rows.length);
		return rows.map(({ x }) => x / 2);
	};
	const app = Fastify();
	const batcher = new MicroBatcher(score, { maxBatchSize: 32, queueDeadlineMs: 200 });
	app.post<{ Body: { readonly x: number } }>("/predict", async (request) => ({
		score: await batcher.submit(request.body),
	}));
	app.addHook("onClose", () => batcher.close());
	const replies = await Promise.all(
		[1, 2, 3, 4].map((x) => app.inject({ method: "POST", url: "/predict", payload: { x } })),
	);
	assert.deepEqual(
		replies.map((reply) => reply.json()),
		[1, 2, 3, 4].map((x) => ({ score: x / 2 })),
	);
	assert.ok(Math.max(...sizes) > 1);
	await app.close();
	assert.equal(batcher.closed, true);
});

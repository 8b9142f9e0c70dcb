import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Executed, execute, statusOf, text } from "./support.js";

/** A run that failed at code cell `cell`: the copy says so there and on top, and nothing ran after it. */
function assertFailed({ result, copy, code }: Executed, cell: number, kind: string, message: RegExp): void {
	assert.equal(result.status, "failed");
	assert.equal(result.failure?.kind, kind);
	assert.equal(result.failure?.cellNumber, cell);
	assert.match(result.failure?.message ?? "", message);
	assert.equal(statusOf(code[cell - 1]), "failed");
	assert.equal(copy.cells[0]?.id, "workbook-failed-banner");
	assert.match(copy.cells[0]?.source ?? "", message);
	const failed = code[cell - 1];
	assert.ok(failed !== undefined);
	assert.equal(copy.cells[copy.cells.indexOf(failed) - 1]?.id, "workbook-failed-anchor");
	const { workbook } = copy.metadata;
	assert.ok(typeof workbook === "object" && workbook !== null && "status" in workbook);
	assert.equal(workbook.status, "failed");
}

describe("a failing cell stops the run, loudly, with the copy kept", { concurrency: 2 }, () => {
	it("names the error of a cell that throws, not what it wrote before", async () => {
		const run = await execute("throws");
		assertFailed(run, 2, "cell-error", /^RangeError: out of range$/m);
		assert.equal(statusOf(run.code[0]), "finished");
		assert.equal(statusOf(run.code[2]), undefined);
		assert.equal(text(run.code[2]), "");
	});

	it("shows TypeScript's message for a wrong type", async () => {
		assertFailed(
			await execute("type-error"),
			1,
			"cell-error",
			/1:7 - Type 'string' is not assignable to type 'number'/,
		);
	});

	it("shows TypeScript's message for a syntax error", async () => {
		assertFailed(await execute("syntax-error"), 1, "cell-error", /1:\d+ - /);
	});

	it("fails for a rejection that is awaited, an error or not", async () => {
		assertFailed(await execute("await-rejects"), 1, "cell-error", /TypeError: rejected while awaited/);
		assertFailed(await execute("throws-no-error"), 1, "cell-error", /just a text/);
	});

	it("fails the cell whose rejection nobody handles, although its kernel calls it good", async () => {
		const run = await execute("unhandled-rejection");
		assertFailed(run, 1, "unseen-error", /Error: nobody waited/);
		assert.match(text(run.code[0]), /the cell itself is fine/);
		assert.equal(statusOf(run.code[1]), undefined);
	});

	it("fails the cell that threw late, not the one that ran then", async () => {
		const run = await execute("late-throw");
		assertFailed(run, 1, "unseen-error", /Error: thrown late/);
		assert.equal(statusOf(run.code[1]), "finished");
		assert.match(text(run.code[0], "stderr"), /UncaughtException: Error: thrown late/);
		assert.equal(statusOf(run.code[2]), undefined);
	});

	it("fails the last cell when it throws after its end", async () => {
		assertFailed(await execute("late-throw-at-the-end"), 1, "unseen-error", /thrown at the end/);
	});

	it("goes on behind a cell that may fail, past the window in which the kernel aborts", async () => {
		const { result, code } = await execute("expected-error");
		assert.equal(result.status, "finished", result.failure?.message);
		assert.equal(text(code[1]), "went on at once\n");
		assert.equal(text(code[3]), "and again\n");
		const [error] = code[0]?.outputs ?? [];
		assert.ok(error?.output_type === "error");
		assert.deepEqual([error.ename, error.evalue], ["Error", "expected"]);
	});

	it("leaves out cells that are to be skipped, and empty ones", async () => {
		const { result, code } = await execute("skipped-cells");
		assert.equal(result.status, "finished", result.failure?.message);
		assert.deepEqual(code.map(statusOf), ["skipped", "skipped", "finished"]);
		assert.deepEqual(code[0]?.outputs, []);
		assert.equal(text(code[2]), "ran\n");
	});
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { execute, text } from "./support.js";

describe("what a cell shows arrives, in its order and at its cell", { concurrency: 2 }, () => {
	it("keeps 50,000 lines printed in one turn", async () => {
		const { result, code } = await execute("many-lines");
		assert.equal(result.status, "finished");
		const lines = text(code[0]).trimEnd().split("\n");
		assert.equal(lines.length, 50_000);
		assert.deepEqual([lines[0], lines[49_999]], ["line 0", "line 49999"]);
		assert.equal(code[0]?.outputs.length, 1, "one stream, one output");
		assert.equal(text(code[1]), "after\n");
	});

	it("cuts a 50 MB output with a note, and keeps the error line behind it", async () => {
		const { result, code } = await execute("huge-output", { maxOutputCharacters: 1_000_000 });
		assert.equal(result.status, "finished");
		assert.equal(text(code[0]).length, 1_000_000);
		assert.match(text(code[0], "stderr"), /an error line behind it/);
		assert.match(
			text(code[0], "stderr"),
			/49\.00 million characters of output left out here; a cell keeps 1\.00 million/,
		);
		assert.equal(text(code[1]), "after\n");
	});

	it("attaches a late line to the cell that caused it, while another one runs", async () => {
		const { code } = await execute("late-output");
		assert.equal(text(code[0]), "from the first cell\n");
		assert.equal(text(code[1]), "from the second cell\n");
	});

	it("attaches a line that comes after the last cell's end", async () => {
		const { code } = await execute("output-after-the-end");
		assert.equal(text(code[0]), "late\n");
	});

	it("shows the output of child processes that inherit it", async () => {
		const { result, code } = await execute("child-output");
		assert.equal(result.status, "finished", result.failure?.message);
		const shown = text(code[0]) + text(code[0], "stderr");
		for (const word of ["spawnSync", "execSync", "on-stderr", "spawn\n", "descriptor", "fork"]) {
			assert.ok(shown.includes(word), `${word} in ${shown}`);
		}
		assert.match(text(code[0], "stderr"), /on-stderr/);
		assert.equal(text(code[1]), "captured\n", "what is not inherited stays with the program");
	});

	it("joins characters that were written byte by byte, and calls back", async () => {
		const { result, code } = await execute("split-characters");
		assert.equal(result.status, "finished");
		assert.equal(text(code[0]), "€ 😀\ncalled back\n");
	});

	it("stores half a character as valid JSON", async () => {
		const { code } = await execute("lone-surrogate");
		assert.match(text(code[0]), /^half: .\n$/u);
	});

	it("updates a display in place, from a later cell too", async () => {
		const { code } = await execute("in-place-display");
		assert.deepEqual(code[0]?.outputs, [
			{ output_type: "display_data", data: { "text/plain": "updated from a later cell" }, metadata: {} },
		]);
		assert.deepEqual(code[1]?.outputs, []);
	});

	it("keeps several forms of one output, progress and computed Markdown", async () => {
		const { result, code } = await execute("several-forms");
		assert.equal(result.status, "finished", result.failure?.message);
		assert.deepEqual(code[0]?.outputs[0], {
			output_type: "display_data",
			data: { "text/plain": "twelve", "text/html": "<b>12</b>", "application/json": { value: 12 } },
			metadata: {},
		});
		assert.equal(text(code[0]), "after the display\n");
		const [progress, answer] = code[1]?.outputs ?? [];
		assert.ok(progress?.output_type === "display_data" && answer?.output_type === "display_data");
		assert.match(String(progress.data["text/plain"]), /^3 of 3 in \d s$/);
		assert.equal(answer.data["text/markdown"], "The answer is **42**.");
	});

	it("keeps colours and overwritten lines as they were written", async () => {
		const { code } = await execute("coloured-output");
		assert.equal(text(code[0]), "\u001b[31mred\u001b[0m plain\n10 %\r20 %\r30 %\n");
	});

	it("hears a cell again after an earlier one silenced itself", async () => {
		const { code } = await execute("silenced-output");
		assert.equal(text(code[0]), "");
		assert.equal(text(code[1]), "heard again\n");
	});

	it("does not mistake words on stderr for an error", async () => {
		const { result, code } = await execute("stderr-words");
		assert.equal(result.status, "finished");
		assert.equal(text(code[1]), "went on\n");
	});

	it("ends cells although one put fake timers in place", async () => {
		const { result, code } = await execute("fake-timers", { cellLimitMs: 20_000 });
		assert.equal(result.status, "finished", result.failure?.message);
		assert.equal(text(code[1]), "and cells still end\n");
	});

	it("promises and timers are shown without what the kernel attaches to them", async () => {
		const { result, code } = await execute("async-values");
		assert.equal(result.status, "finished", result.failure?.message);
		assert.equal(text(code[0]), "Promise { <pending> }\n");
		assert.equal(text(code[1]), "[ Promise { { deep: [Array] } } ]\n");
		assert.match(text(code[2]), /^Timeout \{[\s\S]*_idleTimeout: 5/);
		assert.match(text(code[3]), /^Immediate \{/);
		for (const cell of code) assert.doesNotMatch(text(cell), /kResourceStore|CellOutput/);
	});
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { formatNotebook, type Notebook, type Output, parseNotebook, readNotebook } from "batching-lab/notebook";
import fc from "fast-check";
import { corpus, execute, text } from "./support.js";

const line = fc.string({ unit: "binary", maxLength: 20 });
const anyText = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));
const output: fc.Arbitrary<Output> = fc.oneof(
	fc.record({
		output_type: fc.constant("stream" as const),
		name: fc.constantFrom("stdout" as const, "stderr" as const),
		text: anyText,
	}),
	fc.record({
		output_type: fc.constant("display_data" as const),
		data: fc.record({
			"text/plain": anyText,
			"image/png": fc.base64String(),
			"application/json": fc.jsonValue({ noUnicodeString: false }),
		}),
		metadata: fc.constant({}),
	}),
);
const notebook: fc.Arbitrary<Notebook> = fc
	.array(fc.record({ source: anyText, outputs: fc.array(output, { maxLength: 3 }) }), { maxLength: 4 })
	.map((cells) => ({
		cells: cells.map((cell, index) => ({
			cell_type: "code",
			id: `c${index}`,
			metadata: {},
			execution_count: index,
			...cell,
		})),
		metadata: {},
		nbformat: 4,
		nbformat_minor: 5,
	}));

describe("notebooks are read as people have them and written one way", () => {
	it("reads back every text, picture and value that it writes", () => {
		fc.assert(
			fc.property(notebook, (written) => {
				const plain: Notebook = JSON.parse(JSON.stringify(written));
				assert.deepEqual(JSON.parse(JSON.stringify(parseNotebook(formatNotebook(written), "x.ipynb"))), plain);
			}),
			{ numRuns: 100 },
		);
	});

	it("writes equal notebooks as equal bytes, whatever the order of their keys", () => {
		const [a, b] = [
			'{"metadata":{"b":1,"a":2},"cells":[],"nbformat":4,"nbformat_minor":5}',
			'{"nbformat_minor":5,"nbformat":4,"cells":[],"metadata":{"a":2,"b":1}}',
		];
		assert.equal(formatNotebook(parseNotebook(a ?? "", "a")), formatNotebook(parseNotebook(b ?? "", "b")));
	});

	it("writes the bytes that nbformat writes", async () => {
		assert.equal(formatNotebook(await readNotebook(corpus("throws"))), readFileSync(corpus("throws"), "utf8"));
	});

	it("gives cells of an old notebook ids, the same ones every time", async () => {
		const ids = async () => (await readNotebook(corpus("old-format"))).cells.map((cell) => cell.id);
		assert.deepEqual(await ids(), await ids());
		assert.equal(new Set(await ids()).size, 2);
		const { result, copy } = await execute("old-format");
		assert.equal(result.status, "finished");
		assert.equal(copy.nbformat_minor, 5);
	});

	it("tells twin ids apart", async () => {
		const { cells } = await readNotebook(corpus("same-ids"));
		assert.equal(cells[0]?.id, "twin");
		assert.notEqual(cells[1]?.id, "twin");
	});

	it("runs a JavaScript notebook", async () => {
		const { result, code } = await execute("javascript");
		assert.equal(result.status, "finished", result.failure?.message);
		assert.equal(text(code[0]), "5\n");
	});

	it("starts afresh where a notebook has outputs", async () => {
		const { copy, code } = await execute("with-outputs");
		assert.equal(text(code[0]), "fresh\n");
		assert.equal(code[0]?.execution_count, 1);
		assert.equal("papermill" in copy.metadata, false);
	});

	it("refuses what it cannot run, by name", async () => {
		const refused = (name: string, code: string, message: RegExp) => assert.rejects(execute(name), { code, message });
		await refused("other-language", "UNSUPPORTED_KERNEL", /other-language.ipynb is written in python/);
		await refused("not-json", "BAD_NOTEBOOK", /not-json.ipynb is not a notebook: /);
		await refused("version-3", "BAD_NOTEBOOK", /version-3.ipynb is not a notebook: (cells|nbformat)/);
		await refused("no-such-notebook", "UNKNOWN_NOTEBOOK", /there is no such file/);
	});
});

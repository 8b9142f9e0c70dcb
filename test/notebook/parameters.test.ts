import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
	declaredParameters,
	describeParameter,
	injectParameters,
	type Notebook,
	readNotebook,
} from "batching-lab/notebook";
import { corpus, execute, isCode, text } from "./support.js";

const load = () => readNotebook(corpus("parameters"));

function notebookWith(source: string): Notebook {
	const cell = {
		cell_type: "code" as const,
		id: "p",
		metadata: { tags: ["parameters"] },
		source,
		execution_count: null,
		outputs: [],
	};
	return { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

/** The declarations put in, without the first line, which says who put them there. */
function injected(notebook: Notebook): string | undefined {
	const cell = notebook.cells.find(({ metadata }) => metadata.tags?.includes("injected-parameters"));
	if (cell === undefined) return undefined;
	const [first = "", ...lines] = cell.source.split("\n");
	assert.match(first, /^\/\/ Put in by the program that ran this notebook/);
	return lines.join("\n");
}

describe("parameters are what the tagged cell declares", () => {
	it("reads names, types and defaults, written or seen from the value", async () => {
		assert.deepEqual(declaredParameters(await load()).map(describeParameter), [
			'profile: "smoke" | "quick" = "quick"',
			"seed: a number = 7",
			"ratio: a number = 0.5",
			"exact: true or false = false",
			"sizes: a comma list of numbers = [1, 8, 32]",
			'names: a comma list of strings = ["none"]',
			"computed: not settable = Math.max(1, 2)",
		]);
	});

	it("is not confused by comments, strings, arrows and lines without semicolons", () => {
		const source = [
			"/* let hidden = 1; */ const url = 'http://host//path;' // let alsoHidden = 2",
			"let a = -1.5e3",
			"var b: boolean = true; const c = (x: number) => x;",
			"const d: string = `plain`, e = 5;",
			"let noValue: number;",
		].join("\n");
		const found = declaredParameters(notebookWith(source)).map(({ name, type }) => [name, type?.kind]);
		assert.deepEqual(found.slice(0, 3), [
			["url", "string"],
			["a", "number"],
			["b", "boolean"],
		]);
		assert.equal(
			found.some(([name]) => name === "hidden" || name === "alsoHidden" || name === "noValue"),
			false,
		);
	});

	it("puts values into a cell of their own behind the declarations", async () => {
		const notebook = await load();
		const values = injectParameters(notebook, { profile: "smoke", sizes: "1,2", exact: "true", other: "ignored" });
		assert.equal(
			injected(notebook),
			'const profile: "smoke" | "quick" = "smoke";\nconst exact = true;\nconst sizes: number[] = [1,2];',
		);
		assert.deepEqual(values, { profile: "smoke", seed: 7, ratio: 0.5, exact: true, sizes: [1, 2] });
		injectParameters(notebook, { seed: "8" });
		assert.equal(injected(notebook), "let seed = 8;", "a second time replaces the first");
	});

	it("declares nothing again that the notebook says already", async () => {
		const notebook = await load();
		const values = injectParameters(notebook, { profile: "quick", seed: "7", sizes: "1,8,32", names: "none" });
		assert.equal(injected(notebook), undefined);
		assert.equal(values.profile, "quick");
		assert.deepEqual(values.sizes, [1, 8, 32]);
		injectParameters(notebook, { profile: "quick", seed: "9" });
		assert.equal(injected(notebook), "let seed = 9;");
	});

	it("escapes a text so that it stays a text", () => {
		const notebook = notebookWith('const name = "x";');
		injectParameters(notebook, { name: 'a"; process.exit(1); //\n' });
		assert.equal(injected(notebook), String.raw`const name = "a\"; process.exit(1); //\n";`);
	});

	it("refuses a value of another type, with what was expected", async () => {
		const refused = async (name: string, value: string, message: RegExp) => {
			const notebook = await load();
			assert.throws(() => injectParameters(notebook, { [name]: value }), { code: "BAD_PARAMETER", message });
		};
		await refused("seed", "seven", /parameter seed takes a number, got "seven"/);
		await refused("seed", "", /takes a number, got ""/);
		await refused("exact", "yes", /takes true or false, got "yes"/);
		await refused("profile", "full", /takes "smoke" \| "quick", got "full"/);
		await refused("sizes", "1,two", /takes a comma list of numbers, got "1,two"/);
		await refused("computed", "3", /computed cannot be set: its type is not known/);
	});

	it("reach the cells of a real run, typed", async () => {
		const { result, copy } = await execute("parameters", { parameters: { profile: "smoke", seed: "9", names: "" } });
		assert.equal(result.status, "finished", result.failure?.message);
		const last = copy.cells.filter(isCode).at(-1);
		assert.deepEqual(JSON.parse(text(last)), ["smoke", 9, 0.5, false, [1, 8, 32], [], 2]);
	});
});

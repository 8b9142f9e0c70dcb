import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checkNotebooks, earlierParameters, readNotebook, runNotebooks } from "batching-lab/notebook";
import { corpus, temporaryFolder, text } from "./support.js";

/** Copies of corpus notebooks under names that sort, in a folder of their own. */
function folderWith(names: readonly string[]): string[] {
	const folder = temporaryFolder();
	return names.map((name, index) => {
		const path = join(folder, `${index + 1}-${name}.ipynb`);
		copyFileSync(corpus(name), path);
		return path;
	});
}

describe("several notebooks run in order", { concurrency: 2 }, () => {
	it("stops at the first that fails, and resumes there once it is mended", async () => {
		const sources = folderWith(["javascript", "throws", "old-format"]);
		const outDir = join(temporaryFolder(), "new", "folder");
		const first = await runNotebooks(sources, { outDir });
		assert.equal(first.status, "failed");
		assert.deepEqual(
			first.notebooks.map(({ status }) => status),
			["finished", "failed"],
		);
		assert.deepEqual(readdirSync(outDir).sort(), [
			"1-javascript.html",
			"1-javascript.ipynb",
			"2-throws.html",
			"2-throws.ipynb",
		]);

		copyFileSync(corpus("javascript"), sources[1] ?? "");
		const before = readFileSync(join(outDir, "1-javascript.ipynb"), "utf8");
		let planned: readonly string[] = [];
		const onPlan = (plan: { readonly notebooks: readonly { readonly source: string }[] }) => {
			planned = plan.notebooks.map(({ source }) => source);
		};
		const second = await runNotebooks(sources, { outDir, resume: true, onPlan });
		assert.equal(second.status, "finished");
		assert.deepEqual(planned, sources.slice(1));
		assert.equal(readFileSync(join(outDir, "1-javascript.ipynb"), "utf8"), before, "a finished one is not run again");

		const third = await runNotebooks(sources, { outDir, resume: true });
		assert.deepEqual(third.notebooks, [], "nothing is left");
	});

	it("runs a finished one again when it was edited or gets other values", async () => {
		const [source = ""] = folderWith(["parameters"]);
		const outDir = temporaryFolder();
		await runNotebooks([source], { outDir, parameters: { seed: "1" }, html: false });
		assert.deepEqual(await earlierParameters([source], outDir), { seed: "1" });
		const again = await runNotebooks([source], { outDir, parameters: { seed: "2" }, html: false, resume: true });
		assert.equal(again.notebooks.length, 1);
	});

	it("two runs of one notebook differ in nothing but times", async () => {
		const [source = ""] = folderWith(["in-place-display"]);
		const texts = [];
		for (const run of ["a", "b"]) {
			const outDir = join(temporaryFolder(), run);
			await runNotebooks([source], { outDir });
			const copy = readFileSync(join(outDir, "1-in-place-display.ipynb"), "utf8");
			texts.push(copy.replace(/("(?:startedAt|endedAt|durationMs)": ).*/g, "$1…"));
		}
		assert.equal(texts[0], texts[1]);
	});

	it("works where a path has blanks, quotes and letters of other languages", async () => {
		const folder = join(temporaryFolder(), `it's "quoted" – größe 数`);
		mkdirSync(folder);
		const source = join(folder, "my notebook's ü.ipynb");
		copyFileSync(corpus("javascript"), source);
		const { status, notebooks } = await runNotebooks([source], { outDir: join(folder, "out put") });
		assert.equal(status, "finished", notebooks[0]?.failure?.message);
		assert.equal(
			text((await readNotebook(notebooks[0]?.target ?? "")).cells.find((cell) => cell.cell_type === "code")),
			"5\n",
		);
		assert.ok(existsSync(join(folder, "out put", "my notebook's ü.html")));
	});

	it("finds everything wrong with a request before the first kernel starts", async () => {
		const [a = "", b = ""] = folderWith(["javascript", "parameters"]);
		const outDir = temporaryFolder();
		await assert.rejects(runNotebooks([], { outDir }), { code: "NO_NOTEBOOKS" });
		await assert.rejects(runNotebooks([a, "missing.ipynb"], { outDir }), { code: "UNKNOWN_NOTEBOOK" });
		await assert.rejects(runNotebooks([a], { outDir: join(a, "..") }), { code: "OUTPUT_IS_SOURCE" });
		const [twin = ""] = folderWith(["javascript"]);
		await assert.rejects(runNotebooks([a, twin], { outDir }), { code: "SAME_NAME" });
		await assert.rejects(runNotebooks([a, b], { outDir, parameters: { sead: "1" } }), {
			code: "UNKNOWN_PARAMETER",
			message:
				/no notebook has a parameter sead; there are:\n {2}profile: "smoke" \| "quick" = "quick"\n {2}seed: a number = 7/,
		});
		await assert.rejects(runNotebooks([b], { outDir, parameters: { seed: "x" } }), { code: "BAD_PARAMETER" });
		await assert.rejects(checkNotebooks([corpus("other-language")]), { code: "UNSUPPORTED_KERNEL" });
		assert.deepEqual(readdirSync(outDir), []);
	});

	it("says that a folder cannot be written", async () => {
		const [source = ""] = folderWith(["javascript"]);
		const file = join(temporaryFolder(), "a file");
		writeFileSync(file, "");
		await assert.rejects(runNotebooks([source], { outDir: join(file, "out") }), { code: "OUTPUT_NOT_WRITABLE" });
		const readOnly = join(temporaryFolder(), "read-only");
		mkdirSync(readOnly);
		chmodSync(readOnly, 0o500);
		assert.match(asNobody(source, readOnly), /^OUTPUT_NOT_WRITABLE/);
	});

	it("keeps the last whole copy when the disk is full", () => {
		const [source = ""] = folderWith(["many-lines"]);
		const full = temporaryFolder();
		const mount = `mount -t tmpfs -o size=128k tmpfs '${full}' && exec "$@"`;
		const said = execFileSync(
			"unshare",
			["--map-root-user", "--mount", "sh", "-c", mount, "sh", ...runner(source, full)],
			{ encoding: "utf8" },
		);
		const [code, copy = ""] = said.split("\n");
		assert.equal(code, "DISK_FULL");
		assert.deepEqual(JSON.parse(copy), { files: ["1-many-lines.ipynb"], cells: 2, status: "running" });
	});
});

/** A program that runs one notebook and prints the error's code, then what is in the folder. */
function runner(source: string, outDir: string): string[] {
	const script = `
		import { readdirSync } from "node:fs";
		import { readNotebook, runNotebooks } from "batching-lab/notebook";
		const [source, outDir] = process.argv.slice(1);
		const code = await runNotebooks([source], { outDir, html: false }).then(() => "none", (error) => error.code);
		const files = readdirSync(outDir);
		const copy = files.length === 0 ? undefined : await readNotebook(outDir + "/" + files[0]);
		console.log(code);
		console.log(JSON.stringify({ files, cells: copy?.cells.length, status: copy?.metadata.workbook.status }));`;
	return [process.execPath, "--input-type=module", "--eval", script, source, outDir];
}

/** Root may write everywhere, so the program runs without root's rights. */
function asNobody(source: string, outDir: string): string {
	if (process.getuid?.() !== 0)
		return execFileSync(process.execPath, runner(source, outDir).slice(1), { encoding: "utf8" });
	const drop = ["--bounding-set=-all", "--inh-caps=-all", ...runner(source, outDir)];
	return execFileSync("setpriv", drop, { encoding: "utf8" });
}

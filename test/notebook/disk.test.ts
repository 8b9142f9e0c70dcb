import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { formatNotebook, readNotebook } from "batching-lab/notebook";
import { corpus, isCode, statusOf, temporaryFolder, text } from "./support.js";

const program = fileURLToPath(new URL("../../../lib/bin/workbook.js", import.meta.url));

interface Ended {
	readonly code: number;
	readonly said: string;
	/** What was on the disk at the end. */
	readonly kept: string;
}

/**
 * Runs lines of shell with `$out`, a file system of its own with so much room: a mount that nobody else sees and that is
 * gone with the shell. Root may do that anywhere; everybody else needs a system that allows user namespaces.
 */
async function onDisk(options: string, lines: readonly string[]): Promise<Ended> {
	const folder = temporaryFolder();
	const [out, kept] = [join(folder, "disk"), join(folder, "kept")];
	for (const path of [out, kept]) mkdirSync(path);
	const script = [
		`mount -t tmpfs -o ${options} none "$out" || exit 99`,
		"code=0",
		...lines.map((line) => `${line} || code=$?`),
		'cp -a "$out/." "$kept"; exit $code',
	].join("\n");
	const namespace = process.getuid?.() === 0 ? ["--mount"] : ["--mount", "--map-root-user"];
	const env = { ...process.env, out, kept, workbook: program, node: process.execPath };
	const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
		execFile("unshare", [...namespace, "sh", "-c", script], { env, cwd: folder }, (error, stdout, stderr) =>
			resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
		);
	});
	assert.notEqual(code, 99, `this test mounts a small file system: run it as root, or allow user namespaces. ${said}`);
	return { code, said, kept };
}

/** A notebook whose second cell shows more than the disk can hold. */
function bigNotebook(): string {
	const path = join(temporaryFolder(), "big.ipynb");
	const cells = ['console.log("kept");', 'console.log("x".repeat(1_000_000));', 'console.log("end");'].map(
		(source, index) => ({
			cell_type: "code" as const,
			id: `big-${index}`,
			metadata: {},
			source,
			execution_count: null,
			outputs: [],
		}),
	);
	const kernelspec = { name: "tslab", display_name: "TypeScript", language: "typescript" };
	writeFileSync(path, formatNotebook({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }));
	return path;
}

describe("workbook run and a disk that gives out", { concurrency: 2 }, () => {
	it("says that the disk is full, keeps every whole copy, and goes on when there is room", async () => {
		const [small, big] = [join(temporaryFolder(), "0-small.ipynb"), bigNotebook()];
		copyFileSync(corpus("javascript"), small);
		const run = `"$node" "$workbook" run '${small}' '${big}' --out "$out"`;
		const full = await onDisk("size=512k", [run]);
		assert.equal(full.code, 1, full.said);
		assert.match(full.said, /^0-small: finished/m);
		assert.match(
			full.said,
			/workbook: no space left to write .*disk\/big\.ipynb\n {2}the copy saved before is whole; /,
		);
		assert.match(full.said, /continue with --resume/);
		assert.deepEqual(readdirSync(full.kept).sort(), ["0-small.html", "0-small.ipynb", "big.ipynb"], "no half file");
		const code = (await readNotebook(join(full.kept, "big.ipynb"))).cells.filter(isCode);
		assert.deepEqual(code.map(statusOf), ["finished", undefined, undefined]);
		assert.equal(text(code[0]), "kept\n");

		const more = await onDisk("size=512k", [run, 'mount -o remount,size=16m "$out"', "code=0", `${run} --resume`]);
		assert.equal(more.code, 0, more.said);
		assert.match(more.said, /^0-small: finished before$/m);
		assert.equal(text((await readNotebook(join(more.kept, "big.ipynb"))).cells.filter(isCode).at(-1)), "end\n");
	});

	it("writes a page that did not fit when the run goes on", async () => {
		const name = "javascript";
		const run = `"$node" "$workbook" run '${corpus(name)}' --out "$out"`;
		const again = await onDisk("size=16m", [run, `rm "$out/${name}.html"`, `${run} --resume`]);
		assert.equal(again.code, 0, again.said);
		assert.match(again.said, /^javascript: finished before$/m);
		assert.match(readFileSync(join(again.kept, `${name}.html`), "utf8"), /^<!DOCTYPE html>/);
	});

	it("refuses an output folder that cannot be written, before a kernel starts, exit code 2", async () => {
		const run = `"$node" "$workbook" run '${corpus("javascript")}' --out`;
		const only = await onDisk("ro", [`${run} "$out"`]);
		assert.equal(only.code, 2, only.said);
		assert.match(
			only.said,
			/workbook: cannot write .*javascript\.ipynb: EROFS.*\n {2}choose another folder with --out/,
		);
		assert.doesNotMatch(only.said, /cell 1/);
		const below = await onDisk("ro", [`${run} "$out/new/folder"`]);
		assert.equal(below.code, 2, below.said);
		assert.match(below.said, /workbook: cannot write .*new\/folder: .*\n {2}choose another folder with --out/);
		assert.equal(existsSync(join(below.kept, "new")), false);
	});
});

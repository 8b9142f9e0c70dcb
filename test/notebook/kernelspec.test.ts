import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { installKernelspecs, Kernel, uninstallKernelspecs } from "batching-lab/notebook";
import { temporaryFolder } from "./support.js";

const kernels = (prefix: string) => join(prefix, "share", "jupyter", "kernels");
const actions = (changes: readonly { readonly name: string; readonly action: string }[]) =>
	changes.map(({ name, action }) => `${name} ${action}`);

describe("the kernelspec for Jupyter", () => {
	it("is installed, installed again, and removed without a trace", async () => {
		const prefix = join(temporaryFolder(), `it's a "prefix" ü`);
		assert.deepEqual(actions(await installKernelspecs({ prefix })), ["tslab installed", "jslab installed"]);
		assert.deepEqual(actions(await installKernelspecs({ prefix })), ["tslab installed", "jslab installed"]);
		assert.deepEqual(actions(await uninstallKernelspecs({ prefix })), ["tslab removed", "jslab removed"]);
		assert.deepEqual(actions(await uninstallKernelspecs({ prefix })), ["tslab absent", "jslab absent"]);
		assert.deepEqual(readdirSync(kernels(prefix)), []);
	});

	it("starts a kernel when a front end runs its command", async () => {
		const prefix = temporaryFolder();
		const [spec] = await installKernelspecs({ prefix });
		const { argv, language }: { readonly argv: string[]; readonly language: string } = JSON.parse(
			readFileSync(spec?.file ?? "", "utf8"),
		);
		assert.equal(language, "typescript");
		const events = { onMessage: () => {}, onRawOutput: () => {}, onUnseenError: () => {} };
		const kernel = await Kernel.start({ cwd: prefix, command: argv }, events);
		assert.equal((await kernel.execute("const n: number = 1;", () => {})).status, "ok");
		assert.deepEqual(await kernel.shutdown(), { code: 0, signal: null });
	});

	it("sets a kernel of the same name aside and puts it back", async () => {
		const prefix = temporaryFolder();
		const folder = join(kernels(prefix), "tslab");
		const theirs = '{"argv": ["tslab"], "display_name": "TypeScript", "language": "typescript"}';
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "kernel.json"), theirs);
		assert.deepEqual(actions(await uninstallKernelspecs({ prefix })), ["tslab not-ours", "jslab absent"]);
		assert.deepEqual(actions(await installKernelspecs({ prefix })), [
			"tslab set-aside",
			"tslab installed",
			"jslab installed",
		]);
		assert.deepEqual(actions(await uninstallKernelspecs({ prefix })), [
			"tslab removed",
			"tslab restored",
			"jslab removed",
		]);
		assert.equal(readFileSync(join(folder, "kernel.json"), "utf8"), theirs);
	});

	it("goes to the user's own folder without a prefix", async () => {
		const before = process.env.JUPYTER_DATA_DIR;
		const folder = temporaryFolder();
		process.env.JUPYTER_DATA_DIR = folder;
		try {
			await installKernelspecs();
			assert.ok(existsSync(join(folder, "kernels", "tslab", "kernel.json")));
		} finally {
			if (before === undefined) delete process.env.JUPYTER_DATA_DIR;
			else process.env.JUPYTER_DATA_DIR = before;
		}
	});

	it("says that a folder cannot be written", async () => {
		const file = join(temporaryFolder(), "file");
		writeFileSync(file, "");
		await assert.rejects(installKernelspecs({ prefix: file }), { code: "OUTPUT_NOT_WRITABLE" });
	});
});

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Kernel, type KernelEvents, type KernelOptions } from "batching-lab/notebook";
import { temporaryFolder } from "./support.js";

const tslab = createRequire(import.meta.url).resolve("tslab/bin/tslab");
/** Longer than a file watcher takes to hear of a change. */
const HEARD_MS = 1_500;

interface Package {
	readonly folder: string;
	readonly change: (file: "package.json" | "index.d.ts", text: string) => Promise<void>;
}

async function packageBeside(): Promise<Package> {
	const folder = temporaryFolder();
	const home = join(folder, "node_modules", "neighbour");
	mkdirSync(home, { recursive: true });
	const change: Package["change"] = async (file, text) => {
		writeFileSync(join(home, file), text);
		await sleep(HEARD_MS);
	};
	writeFileSync(join(home, "index.js"), "exports.one = 1; exports.two = 2;");
	writeFileSync(join(home, "package.json"), `{ "name": "neighbour", "main": "index.js", "types": "index.d.ts" }`);
	await change("index.d.ts", "export const one: number;");
	return { folder, change };
}

async function withKernel(
	options: KernelOptions,
	use: (run: (code: string) => Promise<string>, said: () => string) => Promise<void>,
): Promise<void> {
	let said = "";
	const events: KernelEvents = {
		onMessage: (_, { header, content }) => (said += header.msg_type === "stream" ? String(content.text) : ""),
		onRawOutput: (_, text) => (said += text),
		onUnseenError: ({ message }) => (said += message),
	};
	const kernel = await Kernel.start(options, events);
	try {
		const run = async (code: string) => (await kernel.execute(code, () => {})).status;
		await use(run, () => said);
	} finally {
		await kernel.kill();
	}
}

describe("a package changes while the kernel runs", { concurrency: 2 }, () => {
	it("cells go on, in whatever order its files are written, and see what is new", async () => {
		const { folder, change } = await packageBeside();
		await withKernel({ cwd: folder }, async (run, said) => {
			assert.equal(await run('import { one } from "neighbour"; console.log(one);'), "ok");
			await change("package.json", '{ "name": "neighbour", "version": "2.0.0" }');
			assert.equal(await run("console.log(one + 1);"), "ok");
			await change("index.d.ts", "export const one: number; export const two: number;");
			await change("package.json", '{ "name": "neighbour", "version": "3.0.0" }');
			assert.equal(await run('import { two } from "neighbour"; console.log(two + 1);'), "ok");
			assert.equal(said(), "1\n2\n3\n");
		});
	});

	it("a package that was missing is found once it is there", async () => {
		const folder = temporaryFolder();
		await withKernel({ cwd: folder }, async (run) => {
			const cell = 'import { late } from "latecomer"; console.log(late);';
			assert.equal(await run(cell), "error");
			const home = join(folder, "node_modules", "latecomer");
			mkdirSync(home, { recursive: true });
			writeFileSync(join(home, "index.js"), "exports.late = 1;");
			writeFileSync(join(home, "index.d.ts"), "export const late: number;");
			await sleep(HEARD_MS);
			assert.equal(await run(cell), "ok");
		});
	});

	it("plain tslab fails the next cell, which is why the kernel is mended", async () => {
		const { folder, change } = await packageBeside();
		const command = [process.execPath, tslab, "kernel", "--config-path", "{connection_file}"];
		await withKernel({ cwd: folder, command }, async (run) => {
			assert.equal(await run('import { one } from "neighbour"; console.log(one);'), "ok");
			await change("package.json", '{ "name": "neighbour", "version": "2.0.0" }');
			assert.equal(await run("console.log(one + 1);"), "error");
		});
	});
});

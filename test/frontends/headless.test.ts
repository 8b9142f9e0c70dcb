import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { before, describe, it } from "node:test";
import { readNotebook, runNotebooks } from "batching-lab/notebook";
import { shown } from "./compare.js";
import { folderInProject, jupyterEnvironment, pythonEnvironment, root, run } from "./support.js";

const samples = join(root, "test", "notebooks");
const names = readdirSync(samples).filter((name) => name.endsWith(".ipynb"));

describe("nbclient and papermill run the same notebooks to the same outputs", () => {
	const folder = folderInProject();
	let bin = "";
	let env: NodeJS.ProcessEnv = {};
	before(async () => {
		bin = await pythonEnvironment();
		env = await jupyterEnvironment(folder);
		const sources = names.map((name) => join(samples, name));
		const { status } = await runNotebooks(sources, { outDir: join(folder, "ours") });
		assert.equal(status, "finished");
	});

	async function assertSame(front: string, name: string): Promise<void> {
		const theirs = await readNotebook(join(folder, front, name));
		const ours = await readNotebook(join(folder, "ours", name));
		assert.deepEqual(shown(theirs), shown(ours), `${front}: ${name}`);
	}

	it("nbclient", async () => {
		const script = `
import nbformat, os, sys
from nbclient import NotebookClient
target = sys.argv[1]
os.makedirs(target)
for path in sys.argv[2:]:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="tslab", resources={"metadata": {"path": os.path.dirname(path)}}).execute()
    nbformat.write(notebook, os.path.join(target, os.path.basename(path)))
`;
		const paths = names.map((name) => join(samples, name));
		await run(join(bin, "python"), ["-c", script, join(folder, "nbclient"), ...paths], { env, timeout: 240_000 });
		for (const name of names) await assertSame("nbclient", name);
	});

	it("papermill", async () => {
		await run("mkdir", ["-p", join(folder, "papermill")]);
		for (const name of names) {
			const target = join(folder, "papermill", name);
			const options = ["--no-progress-bar", "--kernel", "tslab", "--cwd", samples];
			const done = run(join(bin, "papermill"), [...options, join(samples, name), target], { env, timeout: 120_000 });
			// It runs cells that may fail, and the rest behind them, but then calls the notebook failed all the same.
			if (name.includes("expected-errors")) await assert.rejects(done, /RangeError: this error is part of the lesson/);
			else await done;
			await assertSame("papermill", name);
		}
	});

	it("nbformat finds every copy valid as it is", async () => {
		const script = `
import nbformat, sys
for path in sys.argv[1:]:
    nbformat.validate(nbformat.read(path, as_version=nbformat.NO_CONVERT))
print(len(sys.argv) - 1)
`;
		const copies = names.map((name) => join(folder, "ours", basename(name)));
		const { stdout } = await run(join(bin, "python"), ["-W", "error", "-c", script, ...copies], { env });
		assert.equal(stdout.trim(), String(names.length));
	});
});

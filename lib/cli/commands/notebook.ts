import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { CodedError, findProject } from "../../base/index.js";

export function registerNotebook(program: Command): void {
	const notebook = program
		.command("notebook")
		.description("keep notebooks in a repository free of what a machine put there");

	notebook
		.command("check")
		.argument("[path...]", "notebooks, or folders of them (default: notebooks/)")
		.description("fail when a notebook has outputs, execution counts or machine metadata")
		.action(async (files: string[]) => {
			const { checkClean } = await import("../../notebook/index.js");
			let unclean = 0;
			for (const file of await named(files)) {
				const problems = await checkClean(file);
				if (problems.length > 0) unclean++;
				for (const problem of problems) process.stderr.write(`${file}: ${problem}\n`);
			}
			if (unclean > 0) {
				throw new CodedError("UNCLEAN_NOTEBOOK", `${unclean} notebook${unclean === 1 ? " is" : "s are"} not clean`, {
					hint: "workbook notebook clean rewrites them",
					exitCode: 1,
				});
			}
		});

	notebook
		.command("clean")
		.argument("[path...]", "notebooks, or folders of them (default: notebooks/)")
		.description("take out outputs, execution counts and machine metadata")
		.action(async (files: string[]) => {
			const { cleanNotebook } = await import("../../notebook/index.js");
			for (const file of await named(files)) {
				process.stdout.write(`${file}: ${(await cleanNotebook(file)) ? "cleaned" : "was clean"}\n`);
			}
		});
}

/** Notebooks as they were named; of a folder, those in it. */
async function named(names: readonly string[]): Promise<readonly string[]> {
	const files: string[] = [];
	for (const name of names.length > 0 ? names : [findProject().notebooksDir]) {
		const isFolder = (await stat(name).catch(() => undefined))?.isDirectory() === true;
		if (!isFolder) files.push(name);
		else for (const file of (await readdir(name)).sort()) if (file.endsWith(".ipynb")) files.push(join(name, file));
	}
	return files;
}

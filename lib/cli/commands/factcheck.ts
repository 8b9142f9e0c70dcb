import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { CodedError } from "../../base/index.js";
import type { FactProblem } from "../../report/index.js";
import { createProgress, writeJson } from "../io.js";

function say({ notebook, cell, where, kind, text, key, expected }: FactProblem): string {
	const place = `${notebook}, cell ${cell} (${where})`;
	if (kind === "noKey") return `${place}: "${text}" carries no key`;
	if (kind === "unknownKey")
		return `${place}: "${text}" carries the key ${key}, which stands for nothing in this record`;
	return `${place}: "${text}" is printed for ${key}, which is ${expected}`;
}

async function check(folder: string, notebooks: readonly string[], json: boolean): Promise<void> {
	const room = await import("../../report/index.js");
	const isFolder = existsSync(folder) && statSync(folder).isDirectory();
	const paths = notebooks.length > 0 ? notebooks : isFolder ? room.notebooksIn(folder) : [];
	const source = room.openSource(folder);
	const progress = createProgress();
	try {
		if (paths.length === 0) {
			throw new CodedError("NO_NOTEBOOKS", `there is no executed notebook in ${folder}`, {
				hint: "npm start puts the executed copies beside the record; or name notebooks after the folder",
			});
		}
		const report = room.makeReport(source, { onProgress: progress.update });
		const result = room.factCheck(paths, report.resolve);
		progress.stop();
		if (json) writeJson(result);
		else {
			for (const problem of result.problems) process.stdout.write(`${say(problem)}\n`);
			process.stdout.write(
				`${result.notebooks.length} notebooks: ${result.checked} numbers are what the record says, ${result.virtual} come from a virtual clock or a demonstration, ${result.problems.length} are wrong or carry no key\n`,
			);
		}
		if (result.problems.length > 0) process.exitCode = 1;
	} finally {
		progress.stop();
		source.close();
	}
}

export function registerFactcheck(program: Command): void {
	program
		.command("factcheck")
		.description("is every number in the notebooks' prose what the record says?")
		.argument("<dir>", "a run's folder with its executed notebooks")
		.argument("[notebooks...]", "other notebooks to hold against that record")
		.option("--json", "one object on standard output")
		.action((folder: string, notebooks: string[], options: { readonly json?: boolean }) =>
			check(folder, notebooks, options.json === true),
		);
}

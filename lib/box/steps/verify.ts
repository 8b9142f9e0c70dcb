import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { now, type Step } from "../box.js";
import { zeroParts } from "../parse.js";
import { digestOf, projectFiles, sha256File } from "../project-files.js";
import { HASH_PROJECT } from "../scripts/setup.js";

function some(paths: readonly string[]): string {
	return paths.length <= 5 ? paths.join(", ") : `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more`;
}

export const verify: Step = {
	name: "verify",
	does: "compares the sha256 of every file here and there",
	needs: ["setup"],
	plan: ({ projectRoot }) => [
		`sha256 of every file that git lists in ${projectRoot}, here and on the box; any that differs, lacks or is too many stops`,
	],
	async run(box) {
		const { files } = await projectFiles(box.projectRoot, box.options.data ?? true);
		const here = new Map<string, string>();
		for (const file of files) here.set(file, await sha256File(join(box.projectRoot, file)));
		const output = await box.remote().run(HASH_PROJECT, [box.state.name, String(files.length)], {
			payload: files.map((file) => `${file}\0`).join(""),
		});
		const there = new Map<string, string>();
		const extra: string[] = [];
		for (const part of zeroParts(output)) {
			if (part.startsWith("X ")) extra.push(part.slice(2));
			else there.set(part.slice(68), part.slice(2, 66)); // "H ", 64 digits, two spaces
		}
		const missing = files.filter((file) => !there.has(file));
		const different = files.filter((file) => there.has(file) && there.get(file) !== here.get(file));
		if (missing.length + different.length + extra.length > 0) {
			box.update({ verify: undefined });
			const faults = [
				...(different.length > 0 ? [`differ: ${some(different)}`] : []),
				...(missing.length > 0 ? [`lack on the box: ${some(missing)}`] : []),
				...(extra.length > 0 ? [`are only on the box: ${some(extra)}`] : []),
			];
			throw new CodedError("FILES_DIFFER", `files ${faults.join("; ")}`, {
				exitCode: 1,
				hint: "`npx workbook box setup` copies again",
			});
		}
		const digest = digestOf(here);
		box.update({ verify: { at: now(), files: files.length, digest } });
		return {
			message: `${files.length} files are the same on both sides (${digest.slice(0, 12)}…)`,
			data: { files: files.length, digest },
		};
	},
};

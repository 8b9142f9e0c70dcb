import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import {
	differences,
	MANIFEST_FILE,
	type Manifest,
	manifestDigest,
	parseManifest,
	removeWithin,
	writeManifest,
} from "../manifest.js";
import { exitCodeOf, keyValues } from "../parse.js";
import { remoteFolder } from "../remote/remote.js";
import { HASH_RESULTS, PROGRESS } from "../scripts/run.js";

function destination(box: Box): string {
	return resolve(box.options.to ?? join(box.outputsDir, `box-${box.state.name}`));
}

/** How the newest run ended, asked again here: results of a run that goes on are not results yet. */
async function ending(box: Box): Promise<number | undefined> {
	const said = keyValues(await box.remote().run(PROGRESS, [box.state.name, "1"]));
	const { start } = box.state;
	const exit = said.get("exit")?.[0];
	const exitCode = exit === undefined ? undefined : exitCodeOf(exit);
	if (start !== undefined && said.get("run")?.[0] === start.id && exitCode !== undefined) {
		box.update({ start: { ...start, confirmed: true, exitCode } });
	} else if (start !== undefined && said.get("run")?.[0] !== start.id) {
		throw new CodedError("RUN_UNKNOWN", `the box does not know run ${start.id}`, {
			exitCode: 1,
			hint: "`npx workbook box start` sends it again",
		});
	}
	return exitCode;
}

async function manifest(box: Box, partial: string): Promise<Manifest> {
	return parseManifest(await box.remote().run(HASH_RESULTS, [box.state.name, partial]));
}

export const fetch: Step = {
	name: "fetch",
	does: "brings the results home, compares every file, marks them safe",
	needs: ["start"],
	plan: (box) => [
		"refuse while the run goes on (--partial copies what is there and marks nothing)",
		`rsync --partial of ${remoteFolder(box.state.name, "results")} to ${destination(box)}`,
		"sha256 of every file on both sides; only when all agree the results are marked safe",
	],
	async run(box) {
		const folder = destination(box);
		const from = remoteFolder(box.state.name, "results");
		const exitCode = await ending(box);
		if (box.options.partial) {
			await box.remote().pull(from, folder);
			const wrong = await differences(folder, await manifest(box, "partial"));
			return {
				message: `copied to ${folder} what is there${wrong.length > 0 ? `; ${wrong.length} files have changed since` : ""}; nothing is marked safe`,
				data: { folder, changedSince: wrong },
			};
		}
		if (exitCode === undefined) {
			throw new CodedError("RUN_IN_PROGRESS", `run ${box.state.start?.id} is still going on`, {
				exitCode: 1,
				hint: "`watch` shows how far it is; --partial copies what is there",
			});
		}
		box.update({ fetch: undefined });
		rmSync(join(folder, MANIFEST_FILE), { force: true });
		const there = await manifest(box, "");
		box.say(`${there.size} files come to ${folder}`);
		await box.remote().pull(from, folder);
		let wrong = await differences(folder, there);
		if (wrong.length > 0) {
			// a file of the same size and time with other content, left by somebody: rsync sees no reason to copy it
			removeWithin(folder, wrong);
			await box.remote().pull(from, folder);
			wrong = await differences(folder, there);
		}
		if (wrong.length > 0) {
			throw new CodedError(
				"RESULTS_DIFFER",
				`${wrong.length} of ${there.size} files are not as on the box: ${wrong.slice(0, 5).join(", ")}`,
				{
					exitCode: 1,
					hint: "fetch again; the box keeps them",
				},
			);
		}
		const bytes = [...there.values()].reduce((sum, file) => sum + file.bytes, 0);
		const digest = manifestDigest(there);
		writeManifest(folder, there);
		box.update({
			fetch: { at: now(), startId: box.state.start?.id ?? "", folder, files: there.size, bytes, digest },
			report: undefined,
		});
		const failed =
			exitCode === 0
				? ""
				: `; the run itself failed (${exitCode < 0 ? "it died" : `exit code ${exitCode}`}), see run.log`;
		return {
			message: `results safe: ${there.size} files, ${(bytes / 1e6).toFixed(1)} MB, the same on both sides, in ${folder}${failed}`,
			data: { folder, files: there.size, bytes, digest, exitCode },
		};
	},
};

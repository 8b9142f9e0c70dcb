/** Entry of the process behind `aside`. Arguments: the task's name and the task as JSON. Ends with its parent. */
import { CodedError, findProject, hasCode } from "../base/index.js";
import { latestRun, makeRunFolder, pointLatest, profileNamed } from "../lab/index.js";
import { prepareAssets } from "../model/index.js";
import { summariseRun } from "../report/index.js";
import type { AsideMessage, AsideTasks, RunPlace } from "./aside.js";
import { interruptible } from "./interrupt.js";
import type { ProgressEvent } from "./io.js";

const [name, task = ""] = process.argv.slice(2);
const tell = (message: AsideMessage) => process.send?.(message);
process.on("disconnect", () => process.exit(1));
try {
	const value = name === "prepare" ? await prepare(JSON.parse(task)) : summary(JSON.parse(task));
	tell({ type: "answer", value });
} catch (error) {
	const [exitCode, hint] = error instanceof CodedError ? [error.exitCode, error.hint] : [1 as const, undefined];
	const message = error instanceof Error ? error.message : String(error);
	tell({ type: "failed", code: hasCode(error) ? error.code : "INTERNAL", message, hint, exitCode });
}
process.removeAllListeners("disconnect");
process.disconnect?.();

async function prepare({ profile, assets, resume, outDir }: AsideTasks["prepare"]["task"]): Promise<RunPlace> {
	const { dataDir, outputsDir } = findProject();
	const { name } = profileNamed(profile ?? "quick");
	const latest = latestRun(outputsDir) ?? undefined;
	if (resume && outDir === undefined && (latest === undefined || !assets)) {
		throw new CodedError("NOTHING_TO_RESUME", `there is no run to resume in ${outputsDir}`, {
			hint: "start one without --resume, or name its folder with --out",
		});
	}
	if (assets) {
		const onProgress = (event: ProgressEvent) => tell({ type: "progress", ...event });
		await interruptible((signal) => prepareAssets(dataDir, { signal, onProgress }));
	}
	if (outDir !== undefined) return { runDir: outDir, earlierDir: latest };
	if (resume && latest !== undefined) return { runDir: latest, earlierDir: latest };
	const runDir = makeRunFolder(outputsDir, assets ? name : "notebooks");
	if (assets) pointLatest(outputsDir, runDir);
	return { runDir, earlierDir: latest };
}

function summary({ runDir }: AsideTasks["summary"]["task"]): readonly string[] {
	return summariseRun(runDir);
}

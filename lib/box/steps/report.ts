import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import { runProgram } from "../process.js";

/** The command of this very installation, so that the report is made by the code that verified the results. */
const WORKBOOK = fileURLToPath(new URL("../../../bin/workbook.js", import.meta.url));

/** Beside the box's own report.json. */
const HOME_REPORT = "report-home.json";

function runFolder(box: Box): string {
	const { fetch } = box.state;
	const latest = join(fetch?.folder ?? "", fetch?.startId ?? "", "outputs", "latest");
	if (!existsSync(latest)) {
		throw new CodedError("NO_RECORD", `the results have no record: ${latest} is not there`, {
			exitCode: 1,
			hint: "run.log beside it says how the run ended",
		});
	}
	const found = realpathSync(latest);
	if (relative(realpathSync(fetch?.folder ?? ""), found).split(sep)[0] === "..") {
		throw new CodedError("NO_RECORD", `${latest} leads out of the results, to ${found}`, { exitCode: 1 });
	}
	return found;
}

/** Where two reports differ, as paths with the values' own first difference; a report is plain JSON. */
function reportDifferences(here: unknown, there: unknown, path = "report"): readonly string[] {
	if (isDeepStrictEqual(here, there)) return [];
	const both = [here, there].every((side) => typeof side === "object" && side !== null);
	if (!both) return [`${path} (${firstDifference(String(here), String(there))})`];
	const mine = new Map(Object.entries(here ?? {}));
	const theirs = new Map(Object.entries(there ?? {}));
	const keys = new Set([...mine.keys(), ...theirs.keys()]);
	return [...keys].flatMap((key) => reportDifferences(mine.get(key), theirs.get(key), `${path}.${key}`));
}

function firstDifference(here: string, there: string): string {
	let at = 0;
	while (at < here.length && here[at] === there[at]) at++;
	const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
	return `${around(here)} here, ${around(there)} there`;
}

function parsed(text: string, what: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new CodedError("REPORT_FAILED", `${what} is not a report`, { cause, exitCode: 1 });
	}
}

export const report: Step = {
	name: "report",
	does: "computes the report again at home, and compares it with the box's",
	needs: ["fetch"],
	plan: () => ["workbook report on the fetched record", "compare with the report that the box computed there"],
	async run(box) {
		const folder = runFolder(box);
		const signal = box.signal === undefined ? {} : { signal: box.signal };
		const text = await runProgram(process.execPath, [WORKBOOK, "report", folder], { cwd: box.projectRoot, ...signal });
		if (text.code !== 0) {
			throw new CodedError("REPORT_FAILED", `the report stopped: ${text.stderr.trim() || text.stdout.trim()}`, {
				exitCode: 1,
			});
		}
		const json = await runProgram(process.execPath, [WORKBOOK, "report", folder, "--json"], {
			cwd: box.projectRoot,
			...signal,
		});
		const here = parsed(json.stdout, "what was computed here");
		const beside = join(box.state.fetch?.folder ?? "", box.state.fetch?.startId ?? "");
		const there = join(beside, "report.json");
		writeFileSync(join(beside, HOME_REPORT), json.stdout);
		if (!existsSync(there)) throw new CodedError("REPORT_FAILED", "the box computed no report", { exitCode: 1 });
		const different = reportDifferences(withoutPlace(here), withoutPlace(parsed(readFileSync(there, "utf8"), there)));
		box.update({ report: { at: now(), folder: box.state.fetch?.folder ?? "", sameAsBox: different.length === 0 } });
		if (different.length > 0) {
			throw new CodedError(
				"REPORTS_DIFFER",
				`the report here and the box's differ: ${different.slice(0, 3).join("; ")}`,
				{
					exitCode: 1,
					hint: `another version of the code, or computers that compute a number differently: compare report.json and ${HOME_REPORT} in ${beside}`,
				},
			);
		}
		return { message: `${text.stdout.trimEnd()}\nthe same as computed on the box`, data: { folder, sameAsBox: true } };
	},
};

/** A report names the record it was made from, which lies elsewhere at home. */
function withoutPlace(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "path"));
}

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "../base/index.js";
import { type FinishedRun, openRecord, type RecordReader } from "../record/index.js";
import type { RawRun, RecordFacts, ReportSource } from "./source.js";
import { readSummarised, SUMMARISED_FILE } from "./summarised.js";

export const RECORD_FILE = "lab.sqlite";

/** The rows of a record besides its columns. */
export function factsOf(reader: RecordReader): RecordFacts {
	const runs = reader.finishedRuns();
	return {
		starts: reader.starts(),
		designs: reader.designs(),
		guesses: reader.guesses(),
		environments: reader.environments(),
		models: reader.models(),
		modelAlone: reader.modelAlone(),
		bitChecks: reader.bitChecks(),
		notes: reader.notes(),
		runs,
		otherRuns: reader.allRuns().length - runs.length,
	};
}

/** A source over an open record. `close` closes the record. */
export function sourceOf(reader: RecordReader): ReportSource {
	const singles = new Map<string, Uint32Array | undefined>();
	const singleBits = (run: FinishedRun): Uint32Array | undefined => {
		if (run.setting.startsWith("nomodel")) return undefined;
		if (!singles.has(run.model)) singles.set(run.model, reader.singleScoreBits(run.model));
		return singles.get(run.model);
	};
	const raw = (run: FinishedRun): RawRun => ({
		requests: reader.requests(run.id),
		batches: reader.batches(run.id),
		stamps: reader.stamps(run.id),
		singleBits: singleBits(run),
	});
	return { path: reader.path, facts: factsOf(reader), raw, summary: null, close: () => reader.close() };
}

/**
 * Opens what a report is made of: a run's folder, its `lab.sqlite`, or a summarised copy (`lab-summary.json.gz`).
 *
 * @throws {CodedError} `RECORD_MISSING` naming what was looked for; what `openRecord` throws for a foreign file.
 */
export function openSource(path: string): ReportSource {
	const candidates =
		existsSync(path) && statSync(path).isDirectory()
			? [RECORD_FILE, SUMMARISED_FILE].map((name) => join(path, name))
			: [path];
	const found = candidates.find((candidate) => existsSync(candidate));
	if (found === undefined) {
		throw new CodedError("RECORD_MISSING", `no record in ${path}; looked for ${candidates.join(" and ")}`, {
			hint: "name the folder of a run, such as outputs/latest; npm start makes one",
		});
	}
	return found.endsWith(".gz") ? readSummarised(found) : sourceOf(openRecord(found));
}

import { CodedError } from "../../base/index.js";
import type { Environment, RecordReader } from "../../record/index.js";
import { REQUESTS_FILE, STORE_FILE } from "../../shop/index.js";

/** What must be the same for two runs to stand in one record. */
export interface Identity {
	readonly codeHash: string;
	/** By model name, and by name of the files of the shop. */
	readonly modelHashes: Readonly<Record<string, string>>;
	/** Processor, cores and architecture: a record copied to another machine is read there, not continued. */
	readonly machine: string;
}

export function machineOf(environment: Pick<Environment, "cpu" | "arch" | "cores" | "platform">): string {
	return `${environment.cpu}, ${environment.cores} cores, ${environment.arch}, ${environment.platform}`;
}

/** One difference in words, with both values. */
export interface Change {
	readonly what: "code" | "model" | "data" | "machine";
	readonly text: string;
}

/** What changed since the last start on this record; empty for a new one. */
export function changesSince(record: RecordReader, now: Identity): Change[] {
	const last = record.starts().at(-1);
	if (last === undefined) return [];
	const changes: Change[] = [];
	if (last.codeHash !== now.codeHash) {
		changes.push({ what: "code", text: `code ${last.codeHash.slice(0, 12)} became ${now.codeHash.slice(0, 12)}` });
	}
	const known: Record<string, string> = {};
	for (const start of record.starts()) Object.assign(known, start.modelHashes);
	for (const [model, hash] of Object.entries(now.modelHashes)) {
		const before = known[model];
		if (before === undefined || before === hash) continue;
		const what = model === STORE_FILE || model === REQUESTS_FILE ? "data" : "model";
		changes.push({ what, text: `${what} ${model} ${before.slice(0, 12)} became ${hash.slice(0, 12)}` });
	}
	const environment = record.environments().at(-1);
	if (environment !== undefined && machineOf(environment) !== now.machine) {
		changes.push({ what: "machine", text: `the machine was ${machineOf(environment)}; it is ${now.machine}` });
	}
	return changes;
}

/** @throws {CodedError} `CODE_CHANGED`, `MODEL_CHANGED`, `DATA_CHANGED` or `MACHINE_CHANGED`, with all differences. */
export function refuseChanges(changes: readonly Change[], path: string): void {
	const [first] = changes;
	if (first === undefined) return;
	const texts = changes.map(({ text }) => text).join("; ");
	throw new CodedError(
		`${first.what.toUpperCase()}_CHANGED`,
		`${path} was measured with something else: ${texts}. Measuring on would mix two experiments`,
		{
			hint: "--allow-change goes on and notes it; --set-aside keeps the old record under another name and begins anew",
		},
	);
}

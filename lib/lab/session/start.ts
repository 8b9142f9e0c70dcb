import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Assets, runtimeVersion } from "../../model/index.js";
import { createRecord, type Environment, NOT_AVAILABLE, openRecord, type RecordWriter } from "../../record/index.js";
import { REQUESTS_FILE, STORE_FILE } from "../../shop/index.js";
import { designOf } from "../design-record.js";
import { type Canary, startCanary } from "../machine/canary.js";
import { bootId, describeHost } from "../machine/host.js";
import { journalReadable } from "../machine/journal.js";
import { choosePlacement } from "../machine/pins.js";
import type { Profile } from "../profiles.js";
import { codeHash } from "./codehash.js";
import { RECORD_FILE, setAside } from "./folders.js";
import { type Change, changesSince, type Identity, machineOf, refuseChanges } from "./guard.js";
import { takeLock } from "./lock.js";
import { describeModels, type ModelFacts } from "./models.js";
import { createProgress } from "./progress.js";
import type { Session, SessionOptions } from "./session.js";

/** A record never lacks its design, at whatever moment its lab is killed: without it nobody knows what to resume. */
function openOrCreate(path: string, profile: Profile): RecordWriter {
	if (existsSync(path)) return openRecord(path, { readonly: false });
	return createRecord(path, (record) => record.addDesign("lab", designOf(profile)));
}

interface OpenedRecord {
	readonly record: RecordWriter;
	/** What is different from the last start on this record, and was allowed. */
	readonly changes: readonly Change[];
}

/** Opens the run's record, or makes it, and deals with what changed since its last start as `onChange` says. */
function openChecked({ folder, profile, onChange = "refuse" }: SessionOptions, identity: Identity): OpenedRecord {
	const path = join(folder, RECORD_FILE);
	const record = openOrCreate(path, profile);
	try {
		const changes = changesSince(record, identity);
		if (changes.length === 0 || onChange === "allow") return { record, changes };
		if (onChange === "refuse") refuseChanges(changes, path);
		record.close();
		const aside = setAside(folder);
		const fresh = openOrCreate(path, profile);
		fresh.addNote("set-aside", `the earlier record is ${aside}: ${changes.map(({ text }) => text).join("; ")}`);
		return { record: fresh, changes: [] };
	} catch (error) {
		record.close();
		throw error;
	}
}

/** Hashes of everything that is measured with: model files, store, request list. */
function hashesOf({ manifest: { files } }: Assets, models: readonly ModelFacts[]): Record<string, string> {
	return Object.fromEntries([
		...models.map(({ name, sha256 }) => [name, sha256]),
		...[STORE_FILE, REQUESTS_FILE].map((file) => [file, files[file]?.sha256 ?? ""]),
	]);
}

/** Writes down who starts what, on which machine, with which models and which design. Gives the start's id. */
function writeStart(
	{ record, changes }: OpenedRecord,
	{ profile, purpose }: SessionOptions,
	identity: Identity,
	environment: Environment,
	models: readonly ModelFacts[],
): number {
	const { codeHash: code, modelHashes } = identity;
	const who = { pid: process.pid, host: hostname(), boot: bootId(), purpose };
	const startId = record.addStart({ ...who, codeHash: code, modelHashes });
	const sqlite = record.query("SELECT sqlite_version() AS version")[0]?.version;
	record.addEnvironment(startId, { ...environment, sqlite: typeof sqlite === "string" ? sqlite : NOT_AVAILABLE });
	for (const { name, sha256, averagePrecision, facts } of models) {
		record.putModel({ name, sha256, averagePrecision, facts });
	}
	record.addDesign("lab", designOf(profile));
	for (const { what, text } of changes) record.addNote(`allowed-change-${what}`, text, startId);
	return startId;
}

/** Says how a start ended. On a full disk not even this can be written; the start then reads as killed. */
function endStart(record: RecordWriter, startId: number, ended: "finished" | "interrupted" | "failed"): void {
	try {
		record.endStart(startId, ended);
	} catch (error) {
		if (ended === "finished") throw error;
		// otherwise the error that brought us here is the one to tell
	}
}

function interrupted(folder: string, cause: unknown): CodedError {
	return new CodedError("INTERRUPTED", "interrupted; every finished run is safe", {
		cause,
		exitCode: 130,
		hint: `go on with --resume ${folder}`,
	});
}

/**
 * Takes the machine's lock, opens the record (or makes it), writes down who starts what and where, and runs `action`.
 * Whatever happens, the canary and the lock are gone afterwards and the record says how it ended.
 *
 * @throws {CodedError} `LAB_BUSY`; `CODE_CHANGED`, `MODEL_CHANGED`, `DATA_CHANGED`, `MACHINE_CHANGED`; `INTERRUPTED`;
 *   what `action` throws.
 */
export async function withSession<T>(options: SessionOptions, action: (session: Session) => Promise<T>): Promise<T> {
	const { folder, root, assets, profile, purpose } = options;
	const signal = options.signal ?? new AbortController().signal;
	const placement = choosePlacement(profile.topology);
	const models = describeModels(assets, options.models);
	const lock = takeLock(`${purpose} in ${folder}`);
	try {
		const onnxruntime = await runtimeVersion();
		const engine = "onnxruntime-node, public API";
		const environment = await describeHost({ root, placement, onnxruntime, sqlite: null, engine, threads: 1 });
		const modelHashes = hashesOf(assets, models);
		const identity = { codeHash: codeHash(), modelHashes, machine: machineOf(environment) };
		const opened = openChecked(options, identity);
		const { record } = opened;
		try {
			const startId = writeStart(opened, options, identity, environment, models);
			const progress = createProgress(record, startId, options);
			let canary: Canary | undefined;
			try {
				canary = await startCanary(placement.servicePin);
				const journal = await journalReadable();
				const patience = { leftMs: profile.quietPatienceSeconds * 1000 };
				const base = { record, startId, profile, assets, placement, models, progress, signal };
				const value = await action({ ...base, canary, journal, patience });
				endStart(record, startId, "finished");
				return value;
			} catch (error) {
				endStart(record, startId, signal.aborted ? "interrupted" : "failed");
				throw signal.aborted ? interrupted(folder, error) : error;
			} finally {
				canary?.stop();
				await progress.flush();
			}
		} finally {
			record.close();
		}
	} finally {
		lock.release();
	}
}

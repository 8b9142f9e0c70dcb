import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Assets, runtimeVersion } from "../../model/index.js";
import { createRecord, openRecord, type RecordWriter } from "../../record/index.js";
import { REQUESTS_FILE, STORE_FILE } from "../../shop/index.js";
import { designOf } from "../design-record.js";
import { type Canary, startCanary } from "../machine/canary.js";
import { bootId, describeHost } from "../machine/host.js";
import { journalReadable } from "../machine/journal.js";
import { choosePlacement, type Placement } from "../machine/pins.js";
import type { Profile } from "../profiles.js";
import { codeHash } from "./codehash.js";
import { RECORD_FILE, setAside } from "./folders.js";
import { changesSince, machineOf, refuseChanges } from "./guard.js";
import { takeLock } from "./lock.js";
import { describeModels, type ModelFacts } from "./models.js";
import { createProgress, type OnProgress, type Progress } from "./progress.js";

/** What to do with a record that was measured with other code, other models or on another machine. */
export type OnChange = "refuse" | "allow" | "set-aside";

export interface SessionOptions {
	/** The run's folder. */
	readonly folder: string;
	readonly root: string;
	readonly assets: Assets;
	readonly profile: Profile;
	/** Models that take part: the profile's, and any other that is asked for. */
	readonly models: readonly string[];
	/** What is being done, for the lock, the record and the progress. */
	readonly purpose: string;
	/** @default "refuse" */
	readonly onChange?: OnChange;
	readonly onProgress?: OnProgress;
	readonly signal?: AbortSignal;
	/** A device or file for progress lines; see `createProgress`. */
	readonly console?: string;
}

/** Everything a measurement needs while it holds the machine. */
export interface Session {
	readonly record: RecordWriter;
	readonly startId: number;
	readonly profile: Profile;
	readonly assets: Assets;
	readonly placement: Placement;
	readonly canary: Canary;
	readonly models: readonly ModelFacts[];
	readonly progress: Progress;
	/** Aborts when the caller gives up; everything that waits listens to it. */
	readonly signal: AbortSignal;
	/** True when this user may read the system's journal. */
	readonly journal: boolean;
	/** How long runs may still wait for a quiet machine, all together. */
	readonly patience: { leftMs: number };
}

/** The facts of one model of the session, by the name the profile has for it. */
export function modelOf(session: Session, source: string): ModelFacts {
	const facts = session.models.find((model) => model.source === source);
	if (facts !== undefined) return facts;
	const known = session.models.map((model) => model.source).join(", ");
	throw new CodedError("UNKNOWN_MODEL", `model "${source}" is not part of this run; it has ${known}`);
}

function openOrCreate(path: string): RecordWriter {
	return existsSync(path) ? openRecord(path, { readonly: false }) : createRecord(path);
}

/**
 * Takes the machine's lock, opens the record (or makes it), writes down who starts what and where, and runs `action`.
 * Whatever happens, the canary and the lock are gone afterwards and the record says how it ended.
 *
 * @throws {CodedError} `LAB_BUSY`; `CODE_CHANGED`, `MODEL_CHANGED`, `DATA_CHANGED`, `MACHINE_CHANGED`; `INTERRUPTED`; what `action` throws.
 */
export async function withSession<T>(options: SessionOptions, action: (session: Session) => Promise<T>): Promise<T> {
	const { folder, root, assets, profile, purpose, onChange = "refuse" } = options;
	const signal = options.signal ?? new AbortController().signal;
	const placement = choosePlacement(profile.topology);
	const models = describeModels(assets, options.models);
	const lock = takeLock(`${purpose} in ${folder}`);
	let record: RecordWriter | undefined;
	let canary: Canary | undefined;
	try {
		const environment = await describeHost({
			root,
			placement,
			onnxruntime: await runtimeVersion(),
			sqlite: null,
			engine: "onnxruntime-node, public API",
			threads: 1,
		});
		const { files } = assets.manifest;
		const modelHashes = Object.fromEntries([
			...models.map(({ name, sha256 }) => [name, sha256]),
			...[STORE_FILE, REQUESTS_FILE].map((file) => [file, files[file]?.sha256 ?? ""]),
		]);
		const identity = { codeHash: codeHash(), modelHashes, machine: machineOf(environment) };
		const path = join(folder, RECORD_FILE);
		record = openOrCreate(path);
		const changes = changesSince(record, identity);
		if (changes.length > 0 && onChange === "set-aside") {
			record.close();
			const aside = setAside(folder);
			record = openOrCreate(path);
			record.addNote("set-aside", `the earlier record is ${aside}: ${changes.map(({ text }) => text).join("; ")}`);
		} else if (onChange !== "allow") refuseChanges(changes, path);
		const resumed = record.starts().length > 0;
		const startId = record.addStart({
			pid: process.pid,
			host: hostname(),
			boot: bootId(),
			purpose,
			codeHash: identity.codeHash,
			modelHashes,
		});
		const sqlite = record.query("SELECT sqlite_version() AS version")[0]?.version;
		record.addEnvironment(startId, { ...environment, sqlite: typeof sqlite === "string" ? sqlite : "not available" });
		for (const { name, sha256, averagePrecision, facts } of models) {
			record.putModel({ name, sha256, averagePrecision, facts });
		}
		record.addDesign("lab", designOf(profile));
		for (const { what, text } of resumed ? changes : []) record.addNote(`allowed-change-${what}`, text, startId);
		const progress = createProgress(record, startId, options);
		canary = await startCanary(placement.servicePin);
		const session: Session = {
			record,
			startId,
			profile,
			assets,
			placement,
			canary,
			models,
			progress,
			signal,
			journal: await journalReadable(),
			patience: { leftMs: profile.quietPatienceSeconds * 1000 },
		};
		try {
			const value = await action(session);
			record.endStart(startId, "finished");
			return value;
		} catch (error) {
			endBadly(record, startId, signal.aborted);
			throw signal.aborted ? interrupted(folder, error) : error;
		} finally {
			await progress.flush();
		}
	} finally {
		canary?.stop();
		record?.close();
		lock.release();
	}
}

/** On a full disk not even this can be written; the start then reads as killed, which is near enough. */
function endBadly(record: RecordWriter, startId: number, aborted: boolean): void {
	try {
		record.endStart(startId, aborted ? "interrupted" : "failed");
	} catch {
		// the error that brought us here is the one to tell
	}
}

function interrupted(folder: string, cause: unknown): CodedError {
	return new CodedError("INTERRUPTED", "interrupted; every finished run is safe", {
		cause,
		exitCode: 130,
		hint: `go on with --resume ${folder}`,
	});
}

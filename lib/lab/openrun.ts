import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CodedError, findProject, type Project } from "../base/index.js";
import { findModel, prepareAssets } from "../model/index.js";
import { createRecord, openRecord, RecordError } from "../record/index.js";
import { checkDesign } from "./design.js";
import { designOf } from "./design-record.js";
import { LabRun } from "./labrun.js";
import { withValues } from "./overrides.js";
import { type Profile, profileNamed } from "./profiles.js";
import { latestRun, makeRunFolder, pointLatest, RECORD_FILE, setAside } from "./session/folders.js";
import { takeLock } from "./session/lock.js";
import type { OnProgress } from "./session/progress.js";
import type { OnChange } from "./session/session.js";
import { designHash, storedProfile } from "./stored-profile.js";

export interface OpenRunOptions {
	/** A profile's name, or a profile of your own. @default that of the run that is found; `quick` for a new one */
	readonly profile?: string | Profile;
	/** Values of the profile that are different this time. */
	readonly set?: Partial<Profile>;
	/** The run's folder. @default env `WORKBOOK_RUN_DIR`, else what `outputs/latest` points to, else a new one */
	readonly dir?: string;
	/** Where the project is looked for. @default the working folder */
	readonly root?: string;
	/** A new run, whatever is there or `WORKBOOK_RUN_DIR` says. @default false */
	readonly fresh?: boolean;
	/** Whether a new run becomes the current one, which `outputs/latest` points to. @default true */
	readonly current?: boolean;
	/**
	 * What to do when something must be measured and design, code, models or machine are not those of the record.
	 * @default "refuse"
	 */
	readonly onChange?: OnChange;
	/** A device or file that gets every progress line too: a rented box's serial console. @default env `BATCHING_LAB_CONSOLE` */
	readonly console?: string;
	/** Told while store and models are prepared. */
	readonly onProgress?: OnProgress;
	readonly signal?: AbortSignal;
}

interface Place {
	readonly folder: string;
	readonly profile: Profile;
}

function wantedProfile({ profile, set }: OpenRunOptions): Profile | null {
	if (profile === undefined && set === undefined) return null;
	const base = typeof profile === "object" ? profile : profileNamed(profile ?? "quick");
	return withValues(base, set ?? {});
}

/** The profile of the record in a folder; null when there is none, or none that this code reads. */
function profileIn(folder: string): { readonly profile: Profile; readonly sha256: string } | null {
	const path = join(folder, RECORD_FILE);
	if (!existsSync(path)) return null;
	const reader = openRecord(path);
	try {
		return storedProfile(reader);
	} finally {
		reader.close();
	}
}

function begin(folder: string, profile: Profile): Place {
	createRecord(join(folder, RECORD_FILE), (record) => record.addDesign("lab", designOf(profile))).close();
	return { folder, profile };
}

/** A new record in the place of another, which keeps its content under another name; not while a laboratory fills it. */
function beginBeside(folder: string, profile: Profile): Place {
	const lock = takeLock(`setting the record in ${folder} aside`);
	try {
		setAside(folder);
		return begin(folder, profile);
	} finally {
		lock.release();
	}
}

/** A folder that somebody named: what is in it is theirs, so a difference is told, never worked around. */
function inFolder(folder: string, wanted: Profile | null, onChange: OnChange): Place {
	const found = profileIn(folder);
	if (found === null) return begin(folder, wanted ?? profileNamed("quick"));
	if (wanted === null || designHash(wanted) === found.sha256) return { folder, profile: found.profile };
	if (onChange === "allow") return { folder, profile: wanted };
	if (onChange === "set-aside") return beginBeside(folder, wanted);
	const hashes = `${found.sha256.slice(0, 12)} (${found.profile.name}) became ${designHash(wanted).slice(0, 12)} (${wanted.name})`;
	throw new CodedError("DESIGN_CHANGED", `${folder} was begun with another design: ${hashes}`, {
		hint: "open it without a profile, name another folder, or set the old record aside",
	});
}

/** The current run, if it has the wanted design. */
function currentRun({ outputsDir }: Project, wanted: Profile | null): Place | null {
	const latest = latestRun(outputsDir);
	if (latest === null) return null;
	try {
		const found = profileIn(latest);
		const fits = found !== null && (wanted === null || designHash(wanted) === found.sha256);
		return fits ? { folder: latest, profile: found.profile } : null;
	} catch (error) {
		// a record of another version is no reason not to begin a new one; one that is in use or damaged is
		if (error instanceof RecordError && ["RECORD_VERSION", "NOT_A_RECORD"].includes(error.code)) return null;
		throw error;
	}
}

/**
 * Finds the current run of the laboratory, or begins one. Prepares store and models when they are not there yet
 * (some seconds, once). Measures nothing: its methods do, when the record lacks what they are asked for.
 *
 * @throws {CodedError} `UNKNOWN_PROFILE`, `BAD_PROFILE`, `DESIGN_CHANGED`, `LAB_BUSY`, what `openRecord` throws,
 *   `BAD_DESIGN`, `UNKNOWN_SETTING`, `WAIT_WITHOUT_BATCH`, `UNKNOWN_MODEL`, `NO_MODEL_FILE`, what `prepareAssets` throws.
 *
 * @example
 * const run = await openRun({ profile: "quick" });
 * const [gbt] = await run.saturation({ models: ["gbt"] });
 * gbt.settings.none.answersPerSecond; // S
 */
export async function openRun(options: OpenRunOptions = {}): Promise<LabRun> {
	const { root, fresh = false, current = true, onChange = "refuse", onProgress, signal } = options;
	const project = findProject(root);
	const wanted = wantedProfile(options);
	const assets = await prepareAssets(project.dataDir, {
		...(onProgress === undefined ? {} : { onProgress }),
		...(signal === undefined ? {} : { signal }),
	});
	// what cannot be measured is refused before it leaves a folder behind
	if (wanted !== null) checkDesign(wanted);
	for (const model of wanted?.models ?? []) findModel(assets, model);
	const named = options.dir ?? (fresh ? undefined : process.env.WORKBOOK_RUN_DIR || undefined);
	const found =
		named !== undefined ? inFolder(resolve(named), wanted, onChange) : fresh ? null : currentRun(project, wanted);
	const place = found ?? beginNew(project, wanted ?? profileNamed("quick"), current);
	return new LabRun({
		...place,
		recordPath: join(place.folder, RECORD_FILE),
		root: project.root,
		assets,
		onChange,
		...(options.console === undefined ? {} : { console: options.console }),
	});
}

function beginNew({ outputsDir }: Project, profile: Profile, current: boolean): Place {
	const place = begin(makeRunFolder(outputsDir, profile.name), profile);
	if (current) pointLatest(outputsDir, place.folder);
	return place;
}

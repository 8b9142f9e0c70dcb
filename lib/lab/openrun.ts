import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CodedError, findProject, type Project } from "../base/index.js";
import { prepareAssets } from "../model/index.js";
import { createRecord, openRecord, RecordError } from "../record/index.js";
import { designOf } from "./design-record.js";
import { LabRun } from "./labrun.js";
import { withValues } from "./overrides.js";
import { type Profile, profileNamed } from "./profiles.js";
import { latestRun, makeRunFolder, pointLatest, RECORD_FILE, setAside } from "./session/folders.js";
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
	/** A new run, whatever is there. @default false */
	readonly fresh?: boolean;
	/**
	 * What to do when something must be measured and design, code, models or machine are not those of the record.
	 * @default "refuse"
	 */
	readonly onChange?: OnChange;
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
	const writer = createRecord(join(folder, RECORD_FILE));
	try {
		writer.addDesign("lab", designOf(profile));
	} finally {
		writer.close();
	}
	return { folder, profile };
}

/** A folder that somebody named: what is in it is theirs, so a difference is told, never worked around. */
function inFolder(folder: string, wanted: Profile | null, onChange: OnChange): Place {
	const found = profileIn(folder);
	if (found === null) return begin(folder, wanted ?? profileNamed("quick"));
	if (wanted === null || designHash(wanted) === found.sha256) return { folder, profile: found.profile };
	if (onChange === "allow") return { folder, profile: wanted };
	if (onChange === "set-aside") {
		setAside(folder);
		return begin(folder, wanted);
	}
	const hashes = `${found.sha256.slice(0, 12)} (${found.profile.name}) became ${designHash(wanted).slice(0, 12)} (${wanted.name})`;
	throw new CodedError("DESIGN_CHANGED", `${folder} was begun with another design: ${hashes}`, {
		hint: "open it without a profile, name another folder, or set the old record aside",
	});
}

/** The current run, if it has the wanted design; else a new one, which becomes the current run. */
function currentOrNew({ outputsDir }: Project, wanted: Profile | null, fresh: boolean): Place {
	const latest = fresh ? null : latestRun(outputsDir);
	if (latest !== null) {
		try {
			const found = profileIn(latest);
			if (found !== null && (wanted === null || designHash(wanted) === found.sha256)) {
				return { folder: latest, profile: found.profile };
			}
		} catch (error) {
			// a record of another version is no reason not to begin a new one
			if (!(error instanceof RecordError)) throw error;
		}
	}
	const profile = wanted ?? profileNamed("quick");
	const place = begin(makeRunFolder(outputsDir, profile.name), profile);
	pointLatest(outputsDir, place.folder);
	return place;
}

/**
 * Finds the current run of the laboratory, or begins one. Prepares store and models when they are not there yet
 * (some seconds, once). Measures nothing: its methods do, when the record lacks what they are asked for.
 *
 * @throws {CodedError} `UNKNOWN_PROFILE`, `BAD_PROFILE`, `DESIGN_CHANGED`, `NOT_A_RECORD`, `RECORD_VERSION`,
 *   what `prepareAssets` throws.
 *
 * @example
 * const run = await openRun({ profile: "quick" });
 * const [gbt] = await run.saturation({ models: ["gbt"] });
 * gbt.settings.none.answersPerSecond; // S
 */
export async function openRun(options: OpenRunOptions = {}): Promise<LabRun> {
	const { root, fresh = false, onChange = "refuse", onProgress, signal } = options;
	const project = findProject(root);
	const wanted = wantedProfile(options);
	const named = process.env.WORKBOOK_RUN_DIR || options.dir;
	const place = named === undefined ? currentOrNew(project, wanted, fresh) : inFolder(resolve(named), wanted, onChange);
	const assets = await prepareAssets(project.dataDir, {
		...(onProgress === undefined ? {} : { onProgress }),
		...(signal === undefined ? {} : { signal }),
	});
	return new LabRun({
		...place,
		recordPath: join(place.folder, RECORD_FILE),
		root: project.root,
		assets,
		onChange,
	});
}

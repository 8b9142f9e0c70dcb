import { CodedError } from "../../base/index.js";
import type { Assets } from "../../model/index.js";
import type { RecordWriter } from "../../record/index.js";
import type { Canary } from "../machine/canary.js";
import type { Placement } from "../machine/pins.js";
import type { Profile } from "../profiles.js";
import type { ModelFacts } from "./models.js";
import type { OnProgress, Progress } from "./progress.js";

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

import type { RunKind, RunRole } from "../../record/index.js";

/** One run to be made: everything that is decided before its processes start. */
export interface RunSpec {
	readonly kind: RunKind;
	/** As the profile names it: `gbt`, or a path. */
	readonly model: string;
	readonly setting: string;
	readonly role: RunRole;
	readonly round: number;
	readonly position: number;
	/** Open loop only. */
	readonly rateMultiple: number | null;
	readonly ratePerSecond: number | null;
	readonly saturationPerSecond: number | null;
	/** Of the arrivals, and of where in the request list the run begins. */
	readonly seed: number;
	/** Keep the stage stamps of every request. */
	readonly stamps: boolean;
}
